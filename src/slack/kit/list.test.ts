import { expect, test } from 'vitest';
import { at, expectFit, HOSTILE, wordsOf } from '../slack.testing.ts';
import { forEveryone } from './for-everyone.ts';
import { countWords, listMessage, ROWS_LOADED } from './list.ts';
import { joined, mrkdwn, person } from './text.ts';
import { inOlderForm, textBlocks } from './text-blocks.ts';
import { time } from './times.ts';

const rows = (count: number, text = 'order-shipped', hasLookUps = false) =>
  Array.from({ length: count }, (_, n) => ({
    cells: [`txn_${n}`, text, joined([time(at(n), 'day'), mrkdwn`by ${person('U0ANN')}`], ' · ')],
    lookUp: hasLookUps ? ([`txn_${n}`, `production-event-${n}`] as const) : null,
  }));
const list = (count: number, text?: string, hasLookUps?: boolean) =>
  listMessage({
    caption: (shown) => countWords('message', { offset: 0, shown, total: 340 }),
    columns: ['Transaction', 'Workflow', 'When'],
    rows: rows(count, text, hasLookUps),
  });

test('a list is a table whose rows can be looked up, with times and people as Slack shows them', () => {
  const message = list(3, 'order-shipped', true);
  expectFit(message);
  expect(wordsOf(message)).toContain(
    '3 of 340 messages\nTransaction | Workflow | When | Details\ntxn_0 | order-shipped | 2026',
  );
  expect(JSON.stringify(message.blocks)).toContain('{"type":"user","user_id":"U0ANN"}');
  expect(JSON.stringify(message.blocks)).toContain('"type":"date"');
  expect(JSON.stringify(message.blocks)).toContain('"value":"v1|production-event-2"');
});

test("a list's caption may be as long as a header", () => {
  const caption = 'a'.repeat(150);
  const { blocks } = listMessage({ caption: () => mrkdwn`*${caption}*`, columns: ['Transaction'], rows: rows(1) });
  expect(wordsOf({ blocks })).toContain(caption);
});

// Below `ROWS_LOADED`, the rows are as many as Slack's limits for the text of a table and of a message take.
test.each([
  { what: 'as many rows as a table has', message: list(130, 'a'), rowCount: ROWS_LOADED, choiceCount: 0 },
  { what: 'fewer rows with a choice each', message: list(100, 'order-shipped', true), rowCount: 77, choiceCount: 77 },
  { what: 'fewer rows of long texts', message: list(100, HOSTILE.repeat(5)), rowCount: 56, choiceCount: 0 },
])('a list has $what, as a table and as text alike', ({ message, rowCount, choiceCount }) => {
  const text = { ...message, blocks: textBlocks(message.blocks) };
  for (const sent of [message, text]) {
    expectFit(sent);
    expect(wordsOf(sent).match(/^txn_\d+ [|·]/gm)).toHaveLength(rowCount);
  }
  expect(wordsOf(message)).toContain(`${rowCount} of 340 messages`);
  expect(wordsOf(text).match(/^txn_\d+$/gm) ?? []).toHaveLength(choiceCount);
});

test.each([
  [{ offset: 0, shown: 3, total: 3 }, '3 messages'],
  [{ offset: 0, shown: 100, total: 4_812 }, '100 of 4,812 messages'],
  [{ offset: 100, shown: 100, total: 4_812 }, '101–200 of 4,812 messages'],
  [{ offset: 100, shown: 100, total: 'more' as const }, '101–200 messages; there are more'],
])('its caption says how many: %j', (counts, words) => {
  expect(`${countWords('message', counts)}`).toBe(words);
});

test('where Slack has no buttons in cells, a select offers the same, each choice in words of its own', () => {
  const alike = listMessage({
    caption: () => mrkdwn`2 events`,
    columns: ['Transaction', 'Workflow'],
    rows: ['welcome', 'reminder'].map((workflow) => ({
      cells: ['txn_1', workflow],
      lookUp: [`🔴 failed · txn_1 · ${'anna'.repeat(20)}`, `event ${workflow}`],
    })),
  });
  const older = { ...alike, blocks: inOlderForm(alike.blocks, new Set(['action_cell'])) };
  expectFit(older);
  expect(wordsOf(older)).toMatch(/^Transaction \| Workflow\ntxn_1 \| welcome\ntxn_1 \| reminder\nLook up …\n/m);
  const [first, second] = wordsOf(older).match(/^🔴 .*/gm) ?? [];
  expect([first?.length, second]).toEqual([75, `${first?.slice(0, 70)}… 2`]);
  expect(JSON.stringify(older.blocks)).toContain('"value":"v1|event reminder"');
});

test('a button that holds a contact is left out for everyone, and its row stays', () => {
  const rowOf = (id: string) => ({ cells: [id], lookUp: [id, `events subscriber:${id}`] as const });
  const people = listMessage({
    caption: () => mrkdwn`2 subscribers`,
    columns: ['Subscriber'],
    rows: [rowOf('user-1'), rowOf('ann.private@people.example')],
  });
  const shared = forEveryone(people);
  expectFit(shared);
  expect(wordsOf(shared)).toBe('2 subscribers\nSubscriber | Details\nuser-1 | Look up\na•••@people.example | –');
  expect(JSON.stringify(shared)).not.toContain('ann.private');
});
