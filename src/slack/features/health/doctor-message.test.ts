import { expect, test } from 'vitest';
import { advice, channels, problem, words } from '../../../health/checks.ts';
import type { Checked } from '../../../health/doctor.ts';
import { expectFit, HOSTILE, NOON, wordsOf } from '../../slack.testing.ts';
import { doctorMessage } from './doctor-message.ts';

const WATCHES: Checked = {
  subject: 'Watches',
  findings: [problem('Notif is not in', 'Invite it there: /invite @Notif.', channels(['C0ONCALL']))],
};
const HEARTBEAT: Checked = { subject: 'Heartbeat', findings: [advice('None.', 'Set it.')] };
const TOKEN: Checked = { subject: 'Bot token', findings: [] };

test("the doctor's answer shows what to fix, the worst first, and which checks passed", () => {
  const message = doctorMessage([HEARTBEAT, WATCHES, TOKEN], NOON);
  expectFit(message);
  expect(wordsOf(message).split('\n').slice(0, 9)).toEqual([
    '🔴 2 findings · ✅ 1 check passed',
    '🔴 Watches · problem',
    'Notif is not in <#C0ONCALL>',
    'Next: Invite it there: /invite @Notif.',
    '🟡 Heartbeat · advice',
    'None.',
    'Next: Set it.',
    'Passed',
    'Bot token',
  ]);
});

test("the doctor's answer names ten of many, and fits a message however much it finds", () => {
  const many = advice('Unused:', 'x', words(Array.from({ length: 12 }, (_, index) => `scope-${index}`)));
  expect(wordsOf(doctorMessage([{ subject: 'Scopes', findings: [many] }], NOON))).toContain('scope-9, 2 more');
  const hostile = problem(HOSTILE.repeat(9), HOSTILE.repeat(9), words(Array.from({ length: 10 }, () => HOSTILE)));
  const message = doctorMessage([{ subject: HOSTILE, findings: Array.from({ length: 80 }, () => hostile) }], NOON);
  expectFit(message);
  expect(wordsOf(message)).toMatch(/\d+ more findings: fix these first/);
});
