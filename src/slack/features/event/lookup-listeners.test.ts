import { expect, test } from 'vitest';
import { PRODUCTION } from '../../slack.testing.ts';
import { idsToLookUp } from './lookup.ts';

const PARTS = { commands: ['event', 'failures', 'note'], environments: [PRODUCTION] };
const idsIn = (text: string) => idsToLookUp(PARTS, text).map(({ target }) => target.id);

test.each([
  'failures',
  'failurs since:2h',
  'event txn_8f2c91 env:production',
  'note #17 see txn_8f2c91 for details',
  'Note: #17 see txn_8f2c91',
  '/notif note #17 see txn_8f2c91',
  '`note #17 see txn_8f2c91 for details`',
  'thank you',
])('a message that begins with a command, or has no ID, is run: %s', (text) => {
  expect(idsIn(text)).toEqual([]);
});

test.each(['txn_8f2c91', 'what about txn_8f2c91?', 'txn_8f2c91 env:staging', 'noted: txn_8f2c91'])(
  'the ID in any other message is looked up: %s',
  (text) => {
    expect(idsIn(text)).toEqual(['txn_8f2c91']);
  },
);
