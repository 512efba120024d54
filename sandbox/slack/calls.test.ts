import { expect, test } from 'vitest';
import { CallLog } from './calls.ts';
import { answer } from './replies.ts';
import { Changes } from './state/changes.ts';

test('the log of calls counts posts and edits by channel and message', () => {
  const now = () => 0;
  const calls = new CallLog({ changes: new Changes(), now });
  const add = (method: string, args: { channel: string; ts?: string }) =>
    calls.record(method, args, answer({ ok: true }));
  add('chat.postMessage', { channel: 'C1' });
  add('chat.postMessage', { channel: 'C2' });
  add('chat.update', { channel: 'C1', ts: '1.0' });
  add('chat.update', { channel: 'C1', ts: '1.0' });
  add('chat.update', { channel: 'C1', ts: '2.0' });
  expect([calls.posts(), calls.posts({ channel: 'C1' })]).toEqual([2, 1]);
  expect([calls.edits(), calls.edits({ channel: 'C2' }), calls.edits({ ts: '1.0' })]).toEqual([3, 0, 2]);
});
