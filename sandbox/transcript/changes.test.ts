import { expect, test } from 'vitest';
import type { PostedMessage } from '../slack/page-protocol.ts';
import { changesIn } from './follow.ts';

const NOON = Date.UTC(2026, 2, 4, 12) / 1_000;
const message = (second: number, lines: readonly string[], more: Partial<PostedMessage> = {}): PostedMessage => ({
  ts: `${NOON + second}.000000`,
  author: 'U0BOT',
  text: 'what a notification says',
  blocks: lines.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
  onlyVisibleTo: null,
  threadTs: null,
  isBroadcast: false,
  files: [],
  mentionsMe: false,
  edited: false,
  edits: 0,
  ...more,
});
const names: Readonly<Record<string, string>> = { U0BOT: 'Notif', U0ANN: 'ann' };
const looking = { me: 'U0ANN', nameOf: (id: string) => names[id] ?? id, now: (NOON + 90) * 1_000 };

test('changesIn reports each message with its audience, its changes, and what is gone', () => {
  const digest = message(0, ['1 new incident', '3 failures'], { mentionsMe: true });
  const aside = message(5, [], { onlyVisibleTo: 'U0ANN', threadTs: digest.ts, text: 'taken' });
  const first = changesIn(new Map(), [digest, aside], looking);
  expect(first.lines).toEqual([
    '12:00:00 Notif (mentions ann)',
    '    1 new incident',
    '    3 failures',
    '12:00:05 Notif (in the thread of 12:00:00, only ann sees it)',
    '    taken',
  ]);
  const second = changesIn(first.seen, [message(0, ['1 new incident', '7 failures', 'resolved'])], looking);
  expect(second.lines).toEqual([
    '12:01:30 Notif changes the message of 12:00:00',
    '  - 3 failures',
    '  + 7 failures',
    '  + resolved',
    '12:01:30 the message of 12:00:05 is gone',
  ]);
});

test('changesIn reports nothing if no readable text has changed', () => {
  const { seen } = changesIn(new Map(), [message(0, ['same'])], looking);
  expect(changesIn(seen, [message(0, ['same'], { edits: 1 })], looking).lines).toEqual([]);
});
