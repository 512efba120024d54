import { describe, expect, test } from 'vitest';
import type { Conversation, PostedMessage } from '../page-protocol.ts';
import { countUnread, moveReadMarks } from './log.ts';

const message = (ts: string): PostedMessage => ({
  ts,
  author: 'U0BOT',
  text: 'x',
  blocks: [],
  onlyVisibleTo: null,
  threadTs: null,
  isBroadcast: false,
  files: [],
  mentionsMe: false,
  edited: false,
  edits: 0,
});

const conversation = (id: string, ...stamps: string[]): Conversation => ({
  id,
  kind: 'channel',
  name: id,
  isArchived: false,
  takesMessages: true,
  hasBot: true,
  messages: stamps.map(message),
});

describe('unread marks', () => {
  test('count everything as read at first', () => {
    const seen = conversation('C1', '1.000001');
    expect(countUnread(moveReadMarks({}, [seen], null, true), seen)).toEqual({ messages: 0, mentions: 0 });
  });

  test('count new messages, but not in the open conversation', () => {
    const marks = moveReadMarks({}, [conversation('C1', '1.0'), conversation('C2', '1.0')], null, true);
    const [first, second] = [conversation('C1', '1.0', '2.0', '3.0'), conversation('C2', '1.0', '2.0')];
    const later = moveReadMarks(marks, [first, second], 'C2', false);
    expect([countUnread(later, first).messages, countUnread(later, second).messages]).toEqual([2, 0]);
  });

  test('count from the start in a conversation that somebody else opened', () => {
    const fresh = conversation('D1', '5.0');
    expect(countUnread(moveReadMarks({}, [fresh], 'C1', false), fresh).messages).toBe(1);
  });

  test('count the new messages that mention the person', () => {
    const seen = conversation('C1', '1.0');
    const marks = moveReadMarks({}, [seen], null, true);
    const called = { ...seen, messages: [...seen.messages, message('2.0'), { ...message('3.0'), mentionsMe: true }] };
    expect(countUnread(marks, called)).toEqual({ messages: 2, mentions: 1 });
  });
});
