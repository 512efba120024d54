import { expect, test } from 'vitest';
import { incidentIn } from './incident-ref.ts';

test.each(['(#17):', '*#17*', 'Incidents 17'])('%s names an incident', (typed) => {
  expect(incidentIn(typed.split(' '), 'ack')).toEqual({ incidentId: 17, code: null });
});

test.each([
  ['', 'Name one incident by its number'],
  ['sendgrid', 'Name one incident by its number'],
  ['#17 #18', 'Name one incident by its number'],
])('"%s" names no incident', (typed, why) => {
  expect(() => incidentIn(typed === '' ? [] : typed.split(' '), 'ack')).toThrow(why);
});
