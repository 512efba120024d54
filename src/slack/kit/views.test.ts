import { expect, test } from 'vitest';
import { expectView, HOSTILE, wordsOf } from '../slack.testing.ts';
import { dataTable } from './data-table.ts';
import { resultView } from './views.ts';

const tableOf = (rows: string[][]) => [dataTable({ caption: 'In common', columns: ['What', 'Value'], rows })];

test("a message's table becomes lines in a modal, where Slack accepts none", () => {
  const view = resultView({ blocks: tableOf([['context', 'tenant:acme']]) });
  expect(wordsOf(view)).toBe('In common\nWhat · Value\ncontext · tenant:acme');
  expectView(view);
});

test("a table's lines in a modal fit whatever its texts", () => {
  expectView(resultView({ blocks: tableOf(Array(100).fill(Array(2).fill(HOSTILE.repeat(9)))) }));
});
