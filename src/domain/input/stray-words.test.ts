import { expect, it } from 'vitest';
import type { FilterKey } from './filters.ts';
import { refuseWords } from './stray-words.ts';

const ALLOWED: readonly FilterKey[] = ['workflow', 'channel', 'provider', 'severity', 'since', 'tx'];

const example = (typed: string, allowed = ALLOWED): string => {
  try {
    refuseWords(typed.split(' '), { command: '/notif failures', allowed, usual: 'workflow' });
  } catch (error) {
    return String(Object(error).example);
  }
  return 'taken';
};

it.each([
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
  ['Workflow order-shipped', '/notif failures workflow:order-shipped'],
  ['since', '/notif failures since:2h'],
  ['last 3 hours', '/notif failures since:3h'],
  ['45mins', '/notif failures since:45m'],
  ['in the last 2h', '/notif failures since:2h'],
  ['hours ago', '/notif failures since:2h'],
  ['SendGrid', '/notif failures provider:SendGrid'],
])('a word without a key is refused, suggesting the filter that it looks like: %s', (word, expected) => {
  expect(example(word)).toBe(expected);
});

it("a filter that the command doesn't accept is not suggested", () => {
  expect(example('email', ['workflow'])).toBe('/notif failures workflow:email');
});

it('nothing is refused if there is no word', () => {
  expect(() => refuseWords([], { command: '/notif failures', allowed: ALLOWED, usual: 'workflow' })).not.toThrow();
});
