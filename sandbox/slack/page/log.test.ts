import { expect, test } from 'vitest';
import type { PostedMessage } from '../page-protocol.ts';
import { type LogEntry, layLog } from './log.ts';

const DAY = 86_400;
const message = (ts: number, author = 'U0BOT', more: Partial<PostedMessage> = {}): PostedMessage => ({
  ts: `${ts}.000000`,
  author,
  text: '',
  blocks: [],
  onlyVisibleTo: null,
  threadTs: null,
  isBroadcast: false,
  files: [],
  mentionsMe: false,
  edited: false,
  edits: 0,
  ...more,
});

const dayOf = (at: number) => String(Math.floor(at / 1_000 / DAY));

function shape(messages: readonly PostedMessage[], checkedTo: string | null = null): string {
  return layLog(messages, { checkedTo, me: 'U0ANN', dayOf }).map(inShort).join(' ');
}

function inShort(entry: LogEntry): string {
  if (entry.kind !== 'message') return entry.kind;
  const { message: each, continues, replies } = entry;
  return `${continues ? '+' : ''}${Number(each.ts)}${replies.length > 0 ? `(${replies.length})` : ''}`;
}

test('a log groups one author’s messages within five minutes', () => {
  expect(shape([message(0), message(10), message(400), message(401, 'U0ANN'), message(402)])).toBe(
    'day 0 +10 400 401 402',
  );
});

test('a log doesn’t group ephemeral messages with others', () => {
  const aside = message(1, 'U0BOT', { onlyVisibleTo: 'U0ANN' });
  expect(shape([message(0), aside, message(2)])).toBe('day 0 1 2');
});

test('a log divides days', () => {
  expect(shape([message(DAY - 1), message(DAY), message(DAY + 1)])).toBe(`day ${DAY - 1} day ${DAY} +${DAY + 1}`);
});

test('a log has one line above the first unread message of somebody else', () => {
  expect(shape([message(0), message(1, 'U0ANN'), message(2), message(3)], '0.000000')).toBe('day 0 1 new 2 +3');
  expect(shape([message(0), message(1)], '1.000000')).toBe('day 0 +1');
});

test('a log counts replies but leaves them to their thread', () => {
  const reply = message(5, 'U0ANN', { threadTs: '0.000000' });
  const aside = message(6, 'U0BOT', { threadTs: '0.000000', onlyVisibleTo: 'U0ANN' });
  expect(shape([message(0, 'U0BOT', { threadTs: '0.000000' }), reply, aside])).toBe('day 0(1)');
});
