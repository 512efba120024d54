import { expect, it } from 'vitest';
import type { PostedMessage } from '../page-protocol.ts';
import { groupThreads } from './threads.ts';

const message = (ts: string, threadTs: string | null = null): PostedMessage => ({
  ts,
  author: 'U0BOT',
  text: ts,
  blocks: [],
  attachments: [],
  onlyVisibleTo: null,
  threadTs,
  replyBroadcast: false,
  files: [],
  mentionsMe: false,
  edited: false,
  edits: 0,
});

it('puts replies under their parent, and leaves a reply alone whose parent is not there', () => {
  const messages = [message('1.0', '1.0'), message('2.0'), message('3.0', '1.0'), message('4.0', '0.5')];
  const shape = groupThreads(messages).map(({ parent, replies }) => [parent.ts, replies.map(({ ts }) => ts)]);
  expect(shape).toEqual([
    ['1.0', ['3.0']],
    ['2.0', []],
    ['4.0', []],
  ]);
});
