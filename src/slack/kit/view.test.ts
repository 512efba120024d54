import { expect, test } from 'vitest';
import { expectView, HOSTILE, wordsOf } from '../slack.testing.ts';
import { alert, section } from './blocks.ts';
import { dataTable } from './data-table.ts';
import { mrkdwn } from './text.ts';
import { resultView, withoutNewerKinds } from './view.ts';

const tableOf = (rows: string[][]) => [dataTable({ caption: 'In common', columns: ['What', 'Value'], rows })];

test("a message's table becomes lines in a modal, where Slack accepts none", () => {
  const view = resultView({ blocks: tableOf([['context', 'tenant:acme']]) });
  expect(wordsOf(view)).toBe('In common\nWhat · Value\ncontext · tenant:acme');
  expectView(view);
});

test("a table's lines in a modal fit whatever its texts", () => {
  expectView(resultView({ blocks: tableOf(Array(100).fill(Array(2).fill(HOSTILE.repeat(9)))) }));
});

test('an acknowledgment has its alerts as text, and keeps everything else', () => {
  const view = resultView({ blocks: [section(mrkdwn`First`), alert('warning', mrkdwn`Mind *this*`)] });
  expect(withoutNewerKinds(view).blocks.map(({ type }) => type)).toEqual(['section', 'section']);
  expect(wordsOf(withoutNewerKinds(view))).toBe('First\n⚠️ Mind this');
});
