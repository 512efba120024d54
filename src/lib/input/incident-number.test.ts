import { expect, test } from 'vitest';
import { incidentNumberIn } from './typed-values.ts';

test.each(['#17', '17', '(#17)', '#17:', 'incident 17', 'Incident #17.'])('%s names an incident', (typed) => {
  expect(incidentNumberIn(typed.split(' '), 'ack')).toBe(17);
});

test.each([
  ['', 'Name an incident by its number'],
  ['sendgrid', 'Name an incident by its number'],
  ['#17 #18', '/notif ack takes one incident at a time.'],
])('"%s" names no incident', (typed, why) => {
  expect(() => incidentNumberIn(typed === '' ? [] : typed.split(' '), 'ack')).toThrow(why);
});
