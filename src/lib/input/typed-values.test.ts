import { expect, test } from 'vitest';
import { incidentIn, parseAddresses } from './typed-values.ts';

test('email addresses are parsed, each once', () => {
  expect(parseAddresses(['anna@example.com', ' anna@example.com ', '', 'Ben+x@people.example'])).toEqual([
    'anna@example.com',
    'Ben+x@people.example',
  ]);
});

test.each([['anna'], ['anna@'], ['anna@b c'], ['a@b@c'], ['anna@example.com'.padStart(255, 'x')]])(
  'the address %j is refused without being quoted',
  (typed) => {
    expect(() => parseAddresses(['anna@example.com', typed])).toThrow('email: takes email addresses, at most 10.');
  },
);

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
