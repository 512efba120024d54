import { expect, test } from 'vitest';
import { checkResult, fine } from '../../domain/health/check-result.ts';
import { expectFit, HOSTILE, NOON, wordsOf } from '../slack.testing.ts';
import { doctorMessage } from './message.ts';

const CHANNEL = checkResult('problem', 'Watches', {
  what: 'Notif is not in',
  about: [{ kind: 'channel', id: 'C0ONCALL' }],
  next: 'Invite it there: /invite @Notif.',
});
const TOKEN = fine('Bot token', 'Accepted by Slack.');

test("the doctor's answer shows what to fix, how to fix it, and what is fine", () => {
  const message = doctorMessage(
    [CHANNEL, checkResult('advice', 'Heartbeat', { what: 'None.', next: 'Set it.' }), TOKEN],
    NOON,
  );
  expectFit(message);
  expect(wordsOf(message).split('\n').slice(0, 8)).toEqual([
    '🔴 1 problem · 🟡 1 recommendation · ✅ 1 fine',
    '🔴 Watches · problem',
    'Notif is not in <#C0ONCALL>',
    'Next: Invite it there: /invite @Notif.',
    '🟡 Heartbeat · advice',
    'None.',
    'Next: Set it.',
    '✅ Bot token: Accepted by Slack.',
  ]);
});

test("the doctor's answer has the same content for screen readers", () => {
  const { text } = doctorMessage([CHANNEL, TOKEN], NOON);
  for (const words of [
    '1 problem',
    'Notif is not in <#C0ONCALL>',
    'Next: Invite it',
    'Bot token: Accepted by Slack.',
  ]) {
    expect(text).toContain(words);
  }
});

test("the doctor's answer says what it can't check", () => {
  expect(wordsOf(doctorMessage([TOKEN], NOON))).toContain("its app's commands, shortcuts and events");
});

test("the doctor's answer names ten of many, and counts the rest", () => {
  const about = Array.from({ length: 12 }, (_, index) => ({ kind: 'word', id: `scope-${index}` }) as const);
  expect(
    wordsOf(doctorMessage([checkResult('advice', 'Scopes', { what: 'Unused:', about, next: 'x' })], NOON)),
  ).toContain('scope-9, 2 more');
});

test("the doctor's answer fits a message however much it finds, and counts the rest", () => {
  const about = Array.from({ length: 10 }, () => ({ kind: 'word', id: HOSTILE }) as const);
  const one = checkResult('problem', HOSTILE, { what: HOSTILE.repeat(9), about, next: HOSTILE.repeat(9) });
  const message = doctorMessage(
    [
      ...Array.from({ length: 80 }, () => one),
      ...Array.from({ length: 400 }, () => fine('production: Clock', HOSTILE)),
    ],
    NOON,
  );
  expectFit(message);
  expect(wordsOf(message)).toMatch(/\d+ more findings: fix these first/);
  expect(wordsOf(message)).toContain('✅ 370 more');
});
