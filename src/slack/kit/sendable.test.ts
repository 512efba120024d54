import { expect, test } from 'vitest';
import { buttonsOf, expectFit, wordsOf } from '../slack.testing.ts';
import { actions, button, linkButton, message, section } from './blocks.ts';
import { BLOCKS_JSON } from './limits.ts';
import { sendable } from './sendable.ts';
import { mrkdwn } from './text.ts';

const rows = (length: number, count: number) =>
  message(
    mrkdwn`One`,
    Array.from({ length: count }, (_, n) => section(mrkdwn`Row ${n}`, button('Go', 'go', `v1|${'x'.repeat(length)}`))),
  );

test('a message with long button values is unchanged if Slack takes it', () => {
  expect(sendable(rows(1_900, 5))).toEqual(rows(1_900, 5));
});

test.each([
  ['one value is too long for Slack', 2_100, 1],
  ['all of them together are', 1_900, 8],
])('a message keeps its rows without their buttons if %s, and says so', (_which, length, count) => {
  const sent = sendable(rows(length, count));
  expectFit(sent);
  expect(JSON.stringify(sent.blocks).length).toBeLessThan(BLOCKS_JSON);
  expect(buttonsOf(sent)).toEqual([]);
  expect(wordsOf(sent)).toContain(`Row ${count - 1}`);
  expect(wordsOf(sent)).toContain('Some buttons are missing');
});

test('a link that is too long for Slack is left out, with its empty row', () => {
  const link = linkButton('Dashboard', 'event.dashboard', `https://dashboard.example/${'x'.repeat(3_000)}`);
  const sent = sendable(message(mrkdwn`One`, [section(mrkdwn`One`), ...actions([link])]));
  expectFit(sent);
  expect(sent.blocks).toHaveLength(1);
});
