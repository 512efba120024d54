import { expect, test } from 'vitest';
import type { FilterKey } from './filters.ts';
import { refuseWords } from './stray-words.ts';

const ALLOWED: readonly FilterKey[] = [
  ...(['workflow', 'channel', 'provider', 'severity', 'email', 'since', 'until', 'tx', 'env'] as const),
];
const environments = ['production', 'eu-staging'];

const example = (typed: string, allowed = ALLOWED): string => {
  try {
    refuseWords(typed.split(' '), { command: '/notif failures', allowed, usual: 'workflow', environments });
  } catch (error) {
    return String(Object(error).example);
  }
  return 'taken';
};

test.each([
  ['email', '/notif failures channel:email'],
  ['In-App', '/notif failures channel:In-App'],
  ['high', '/notif failures severity:high'],
  ['2h', '/notif failures since:2h'],
  ['txn_8f2c91', '/notif failures tx:txn_8f2c91'],
  ['since=2h', '/notif failures since:2h'],
  ['Channel:email', '/notif failures channel:email'],
  ['min=5', '/notif failures workflow:min=5'],
  ['order-shipped', '/notif failures workflow:order-shipped'],
  ['since 2h', '/notif failures since:2h'],
  ['since deploy', '/notif failures since:2h'],
  ['until deploy', '/notif failures until:12:30'],
  ['until now', '/notif failures until:now'],
  ['Workflow order-shipped', '/notif failures workflow:order-shipped'],
  ['since', '/notif failures since:2h'],
  ['last 3 hours', '/notif failures since:3h'],
  ['45mins', '/notif failures since:45m'],
  ['in the last 2h', '/notif failures since:2h'],
  ['hours ago', '/notif failures since:2h'],
  ['SendGrid', '/notif failures provider:SendGrid'],
  ['yesterday', '/notif failures since:yesterday'],
  ['Today', '/notif failures since:today'],
  ['1h30m', '/notif failures since:1h30m'],
  ['1h30min', '/notif failures since:1h30m'],
  ['2 hours 30 minutes ago', '/notif failures since:2h30m'],
  ['last hour', '/notif failures since:1h'],
  ['in the past week', '/notif failures since:1w'],
  ['since 3 hours', '/notif failures since:3h'],
  ['since yesterday', '/notif failures since:yesterday'],
  ['22:15', '/notif failures since:22:15'],
  ['at 22:15', '/notif failures since:22:15'],
  ['22:15:30', '/notif failures since:22:15:30'],
  ['2026-11-24 22:15:30', '/notif failures since:2026-11-24T22:15:30'],
  ['22:15:30-22:16:00', '/notif failures since:22:15:30 until:22:16:00'],
  ['2026-11-24', '/notif failures since:2026-11-24 until:2026-11-24'],
  ['2026-11-24 22:15', '/notif failures since:2026-11-24T22:15'],
  ['Yesterday 22:15', '/notif failures since:"yesterday 22:15"'],
  ['02:00-03:00', '/notif failures since:02:00 until:03:00'],
  ['02:00 - 03:00', '/notif failures since:02:00 until:03:00'],
  ['between 02:00 and 03:00', '/notif failures since:02:00 until:03:00'],
  ['from 2026-11-24 02:00 to 2026-11-24 03:00', '/notif failures since:2026-11-24T02:00 until:2026-11-24T03:00'],
  ['--since=2h', '/notif failures since:2h'],
  ['--since 2h', '/notif failures since:2h'],
  ['production', '/notif failures env:production'],
  ['in Production', '/notif failures env:production'],
  ['on eu_staging', '/notif failures env:eu-staging'],
  ['anna@example.com', '/notif failures email:anna@example.com'],
  ['email anna@example.com', '/notif failures email:anna@example.com'],
  ['for anna@example.com', '/notif failures email:anna@example.com'],
  ['for order-shipped', '/notif failures workflow:order-shipped'],
  ['with sendgrid', '/notif failures provider:sendgrid'],
  ['provider mailjet', '/notif failures provider:mailjet'],
  ['workflow', '/notif failures workflow:order-shipped'],
  ['since 10pm', '/notif failures since:10pm'],
  ['at 2026-11-24t22:15', '/notif failures since:2026-11-24T22:15'],
  ['in the', '/notif failures since:2h'],
])('a word without a key is refused, suggesting the filter that it looks like: %s', (word, expected) => {
  expect(example(word)).toBe(expected);
});

test.each([
  ['highway', 'workflow:highway'],
  ['very-high', 'workflow:very-high'],
  ['5xx', 'workflow:5xx'],
  ['x-since=2h', 'workflow:x-since=2h'],
  ['order-shipped yesterday', 'workflow:order-shipped'],
  ['order-shipped 2h', 'workflow:order-shipped'],
  ['txn_8f2c91 2h', 'tx:txn_8f2c91'],
  ['2026-11-24 @22:15', 'since:2026-11-24 until:2026-11-24'],
])('a word that only contains a value or a time is not taken for one: %s', (words, expected) => {
  expect(example(words)).toBe(`/notif failures ${expected}`);
});

test.each([
  ['@oncall', '/notif failures mention:@oncall'],
  ['<!subteam^S0ONCALL>', '/notif failures mention:<!subteam^S0ONCALL>'],
  ['team@oncall', '/notif failures workflow:team@oncall'],
])('a word is suggested as a mention only if it begins like one: %s', (word, expected) => {
  expect(example(word, ['workflow', 'mention'])).toBe(expected);
});

test.each([
  ['mailer', 'mailer is not a filter: /notif failures takes key:value.'],
  ['since=2h', 'since=2h is not a filter: filters are written as key:value.'],
  ['#17', '#17 is the number of an incident, not a filter.'],
])('the refusal says what the word is not: %s', (word, message) => {
  expect(() =>
    refuseWords([word], { command: '/notif failures', allowed: ALLOWED, usual: 'workflow', environments }),
  ).toThrow(expect.objectContaining({ field: 'filter', message }));
});

test("an incident's number is refused, suggesting the command that shows it", () => {
  expect(example('#17')).toBe('/notif #17');
  expect(example('#17 mailer')).toBe('/notif #17');
  expect(example('#mailer')).toBe('/notif failures workflow:#mailer');
});

test("a filter that the command doesn't accept is not suggested", () => {
  expect(example('email', ['workflow'])).toBe('/notif failures workflow:email');
  expect(example('02:00-03:00', ['workflow', 'since'])).toBe('/notif failures since:02:00');
  expect(example('production', ['workflow'])).toBe('/notif failures workflow:production');
  expect(example('in the', ['workflow'])).toBe('/notif failures workflow:order-shipped');
});

test('nothing is refused if there is no word', () => {
  expect(() =>
    refuseWords([], { command: '/notif failures', allowed: ALLOWED, usual: 'workflow', environments }),
  ).not.toThrow();
});
