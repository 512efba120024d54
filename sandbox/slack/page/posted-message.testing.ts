import type { PostedMessage } from '../page-protocol.ts';

/** What the bot posted for everyone, unless overridden. */
export function aPostedMessage(change: Partial<PostedMessage> = {}): PostedMessage {
  return {
    ts: '100.000000',
    author: 'U0BOT',
    text: 'x',
    blocks: [],
    onlyVisibleTo: null,
    threadTs: null,
    isBroadcast: false,
    files: [],
    mentionsMe: false,
    edited: false,
    ...change,
  };
}
