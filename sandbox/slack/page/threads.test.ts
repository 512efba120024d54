import { expect, test } from 'vitest';
import type { PostedMessage } from '../page-protocol.ts';
import { repliesTo, threadOf } from './log.ts';

const message = (ts: string, threadTs: string | null = null, more: Partial<PostedMessage> = {}): PostedMessage => ({
  ts,
  author: 'U0BOT',
  text: ts,
  blocks: [],
  onlyVisibleTo: null,
  threadTs,
  isBroadcast: false,
  files: [],
  mentionsMe: false,
  edited: false,
  edits: 0,
  ...more,
});

const parent = message('1.0', '1.0');
const aside = message('5.0', '1.0', { onlyVisibleTo: 'U0ANN' });
const messages = [parent, message('2.0'), message('3.0', '1.0'), message('4.0', '0.5'), aside];

test('repliesTo counts replies that everybody sees, and threadOf also has ephemeral ones', () => {
  expect(repliesTo(parent, messages).map(({ ts }) => ts)).toEqual(['3.0']);
  expect(threadOf('1.0', messages)).toEqual({ parent, replies: [messages[2], aside] });
  expect(threadOf('9.0', messages)).toEqual({ parent: undefined, replies: [] });
});
