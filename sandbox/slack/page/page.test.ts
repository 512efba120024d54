import { describe, expect, test } from 'vitest';
import type { Conversation, PostedMessage } from '../page-protocol.ts';
import { type LogEntry, layLog } from './log.ts';
import { aPostedMessage } from './posted-message.testing.ts';
import { safeLink } from './text/text.tsx';
import { countUnread } from './unread.ts';

const DAY = 86_400;
const message = (ts: number, author = 'U0BOT', more: Partial<PostedMessage> = {}): PostedMessage =>
  aPostedMessage({ ts: `${ts}.000000`, author, ...more });

describe('a log', () => {
  const dayOf = (at: number) => String(Math.floor(at / 1_000 / DAY));
  /** 'day' begins a day, '+10' continues the message before, '0(1)' has one reply. */
  const inShort = (entry: LogEntry) => {
    if (entry.kind !== 'message') return entry.kind;
    const { message: each, isContinuation, replies } = entry;
    return `${isContinuation ? '+' : ''}${Number(each.ts)}${replies.length > 0 ? `(${replies.length})` : ''}`;
  };
  const shape = (messages: readonly PostedMessage[]) => layLog(messages, dayOf).map(inShort).join(' ');

  test('groups one author’s messages within five minutes, ephemeral ones apart, and divides days', () => {
    const ofTwoAuthors = [message(0), message(10), message(400), message(401, 'U0ANN'), message(402)];
    expect(shape(ofTwoAuthors)).toBe('day 0 +10 400 401 402');
    expect(shape([message(0), message(1, 'U0BOT', { onlyVisibleTo: 'U0ANN' }), message(2)])).toBe('day 0 1 2');
    expect(shape([message(DAY - 1), message(DAY), message(DAY + 1)])).toBe(`day ${DAY - 1} day ${DAY} +${DAY + 1}`);
  });

  test('counts replies that everybody sees but leaves them to their thread, unless its message is gone', () => {
    const reply = message(5, 'U0ANN', { threadTs: '0.000000' });
    const aside = message(6, 'U0BOT', { threadTs: '0.000000', onlyVisibleTo: 'U0ANN' });
    expect(shape([message(0, 'U0BOT', { threadTs: '0.000000' }), reply, aside])).toBe('day 0(1)');
    expect(shape([message(1), message(7, 'U0ANN', { threadTs: '0.000000' })])).toBe('day 1 7');
  });
});

const conversation = (id: string, ...messages: PostedMessage[]): Conversation => ({
  id,
  kind: 'channel',
  name: id,
  isArchived: false,
  messages,
});

test('unread marks count neither replies in threads nor one’s own lines', () => {
  const reply = message(2, 'U0BOT', { threadTs: '1.000000' });
  const shown = [message(1), reply, message(3, 'U0ANN'), { ...reply, isBroadcast: true }];
  expect(countUnread({ C1: '0' }, conversation('C1', ...shown), 'U0ANN')).toBe(2);
});

test('the page links to http, https and mailto alone', () => {
  for (const url of ['http://a.test/', 'https://a.test/b?c=d', 'mailto:a@b.test']) expect(safeLink(url)).toBe(url);
  for (const url of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '/relative', ''])
    expect(safeLink(url)).toBeNull();
});
