import { expect, test } from 'vitest';
import { expectView, HOSTILE, wordsOf } from '../slack.testing.ts';
import { section, table } from './blocks.ts';
import { mrkdwn } from './text.ts';
import { resultView } from './view.ts';

test("a message's table becomes lines in a modal, where Slack accepts none", () => {
  const rows = [
    ['What', 'Value', 'Failures', 'Share'],
    ['context', 'tenant:acme', '48', '100%'],
    ['', 'tenant:b', '2', '4%'],
  ];
  const view = resultView({ blocks: [section(mrkdwn`In common`), table(rows, 2)] });
  expect(wordsOf(view)).toBe(
    'In common\nWhat · Value · Failures · Share\ncontext · tenant:acme · 48 · 100%\ntenant:b · 2 · 4%',
  );
  expectView(view);
});

test("a table's lines in a modal fit whatever its texts", () => {
  expectView(resultView({ blocks: [table(Array(100).fill(Array(4).fill(HOSTILE.repeat(9))), 2)] }));
});
