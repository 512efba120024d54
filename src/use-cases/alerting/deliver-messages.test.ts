import { describe, expect, test } from 'vitest';
import type { DigestContent } from '../../domain/alerting/delivery.ts';
import { at, NOON } from '../../domain/service/event.testing.ts';
import {
  type ClaimedMessage,
  type DeliveryPublisher,
  type DeliveryStore,
  deliverMessages,
  type EditOutcome,
  type HistoryLookup,
  type PostedMessage,
  type PostOutcome,
} from './deliver-messages.ts';

const content = {
  kind: 'digest',
  id: 'd1',
  channel: 'C1',
  rows: [{ tally: { failures: 7 } }],
} as unknown as DigestContent;
const posted: PostedMessage = { id: 'd1', channel: 'C1', ts: '1.1', fingerprint: 'old', attempt: 1, claimedAt: NOON };

function delivery(options: {
  messages?: ClaimedMessage[];
  edits?: PostedMessage[];
  post?: PostOutcome;
  edit?: EditOutcome;
  lookup?: HistoryLookup;
  /** How long searching the history takes, and drawing the message. */
  findMs?: number;
  contentMs?: number;
  isOvertaken?: boolean;
}) {
  const happened: string[] = [];
  const messages = [...(options.messages ?? [])];
  const edits = [...(options.edits ?? [])];
  let now = NOON;
  const store: DeliveryStore = {
    claimMessage: async () => messages.shift() ?? null,
    renewClaim: async () => !options.isOvertaken,
    content: async () => {
      now = new Date(now.getTime() + (options.contentMs ?? 0));
      return content;
    },
    notePosted: async (_, { ts, failures }) => void happened.push(`posted ${ts} with ${failures} failures`),
    noteNotPosted: async (_, reason, retryAt) =>
      void happened.push(`not posted: ${reason}, again at ${seconds(retryAt)}`),
    noteRateLimited: async ({ channel }, until) =>
      void happened.push(`nothing more to ${channel} until ${seconds(until)}`),
    noteUnresolved: async (_, forMs) => void happened.push(`unresolved, look in ${forMs / 1000} s`),
    noteShutOut: async (_, why, { operators, retryAt }) => {
      happened.push(`shut out: ${why}, tell ${operators}, again at ${seconds(retryAt)}`);
      return 'tried again';
    },
    noteGivenUp: async (_, reason) => void happened.push(`given up: ${reason}`),
    claimEdit: async () => edits.shift() ?? null,
    noteEdited: async (_, { fingerprint, failures }) =>
      void happened.push(`edited ${fingerprint} with ${failures} failures`),
    noteNotEdited: async (_, retryAt) => void happened.push(`not edited, again at ${seconds(retryAt)}`),
    pauseEdits: async (until) => void happened.push(`no edits until ${seconds(until)}`),
    noteDeleted: async () => void happened.push('deleted'),
    noteFrozen: async (_, { reason, scope }) => void happened.push(`frozen: ${scope}, ${reason}`),
  };
  const publisher: DeliveryPublisher = {
    post: async (_, { possibleRepeat }) => {
      happened.push(possibleRepeat ? 'post as a possible repeat' : 'post');
      return options.post ?? { outcome: 'posted', ts: '1.1', fingerprint: 'f' };
    },
    edit: async () => options.edit ?? { outcome: 'edited', fingerprint: 'new' },
    find: async () => {
      happened.push('find');
      now = new Date(now.getTime() + (options.findMs ?? 0));
      return options.lookup ?? { found: 'no' };
    },
  };
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const signal = new AbortController().signal;
  return {
    happened,
    run: () => deliverMessages({ store, publisher, operators: ['U1'], logger, now: () => now, signal }),
  };
}

function seconds(date: Date): string {
  return `+${(date.getTime() - NOON.getTime()) / 1000} s`;
}

const claimed = (change: Partial<ClaimedMessage> = {}): ClaimedMessage => ({
  id: 'd1',
  kind: 'digest',
  channel: 'C1',
  threadTs: null,
  attempt: 1,
  claimedAt: NOON,
  unresolvedSince: null,
  ...change,
});

const refused: PostOutcome = { outcome: 'not-posted', reason: 'HTTP 400', fix: null };
const POSTED = ['post', 'posted 1.1 with 7 failures'];

describe('posting a message', () => {
  test('gives up when the parent message of its thread is gone', async () => {
    const message = claimed({ kind: 'thread', threadTs: '1.1' });
    const { happened, run } = delivery({
      messages: [message],
      post: { outcome: 'no-thread', reason: 'thread_not_found' },
    });
    await run();
    expect(happened).toEqual(['post', 'given up: thread_not_found']);
  });

  test('continues until no message is pending', async () => {
    const { happened, run } = delivery({ messages: [claimed(), claimed({ id: 'd2' })] });
    await run();
    expect(happened).toEqual([...POSTED, ...POSTED]);
  });

  test('pauses that channel for as long as Slack says', async () => {
    const { happened, run } = delivery({
      messages: [claimed()],
      post: { outcome: 'rate-limited', retryAfterMs: 7000 },
    });
    await run();
    expect(happened).toEqual(['post', 'nothing more to C1 until +7 s']);
  });

  test.each([
    [1, '+2 s'],
    [2, '+4 s'],
    [5, '+32 s'],
    [40, '+300 s'],
  ])('backs off after attempt %i, but never gives the message up', async (attempt, wait) => {
    const { happened, run } = delivery({ messages: [claimed({ attempt })], post: refused });
    await run();
    expect(happened).toEqual(['post', `not posted: HTTP 400, again at ${wait}`]);
  });

  test('lets the store decide about a watch whose channel accepts no messages', async () => {
    const post: PostOutcome = { outcome: 'shut-out', reason: 'is_archived', why: 'channel-archived' };
    const { happened, run } = delivery({ messages: [claimed()], post });
    await run();
    expect(happened).toEqual(['post', 'shut out: channel-archived, tell U1, again at +300 s']);
  });

  test('searches the channel before it sends again after a lost answer', async () => {
    const { happened, run } = delivery({ messages: [claimed()], post: { outcome: 'unknown' } });
    await run();
    expect(happened).toEqual(['post', 'unresolved, look in 3 s']);
  });

  test('leaves the rest to the next run after a minute', async () => {
    const messages = [1, 2, 3, 4, 5].map((n) => claimed({ id: `d${n}`, unresolvedSince: at(-30), attempt: 2 }));
    const { happened, run } = delivery({ messages, findMs: 25_000 });
    await run();
    expect(happened.filter((what) => what === 'find')).toHaveLength(3);
  });

  describe('with an unknown outcome', () => {
    const messages = [claimed({ unresolvedSince: at(-30), attempt: 2 })];

    test('counts the message as posted when it is in its channel', async () => {
      const { happened, run } = delivery({ messages, lookup: { found: 'yes', ts: '9.9' } });
      await run();
      expect(happened).toEqual(['find', 'posted 9.9 with 0 failures']);
    });

    test("sends the message when it isn't in its channel", async () => {
      const { happened, run } = delivery({ messages });
      await run();
      expect(happened).toEqual(['find', ...POSTED]);
    });

    test.each([
      [null, '4 s'],
      [9_000, '9 s'],
    ])("sends nothing while Slack can't be searched, and tries again: %o", async (retryAfterMs, wait) => {
      const lookup: HistoryLookup = { found: 'not-now', reason: 'ratelimited', retryAfterMs };
      const { happened, run } = delivery({ messages, lookup });
      await run();
      expect(happened).toEqual(['find', `unresolved, look in ${wait}`]);
    });

    test("marks a possible duplicate when the history can't be read", async () => {
      const { happened, run } = delivery({ messages, lookup: { found: 'cannot-read', reason: 'missing_scope' } });
      await run();
      expect(happened).toEqual(['find', 'post as a possible repeat', 'posted 1.1 with 7 failures']);
    });

    test('sends the message after a long search, which has its own time', async () => {
      const { happened, run } = delivery({ messages, findMs: 25_000 });
      await run();
      expect(happened).toEqual(['find', ...POSTED]);
    });

    test('leaves the message to a replica that claimed it during the search', async () => {
      const { happened, run } = delivery({ messages, findMs: 31_000, isOvertaken: true });
      await run();
      expect(happened).toEqual(['find']);
    });

    test('sends nothing when its lease may have expired, and lets other messages go first', async () => {
      const { happened, run } = delivery({ messages, findMs: 25_000, contentMs: 10_001 });
      await run();
      expect(happened).toEqual(['find', 'not posted: it was claimed too long ago, again at +39.001 s']);
    });
  });
});

describe('editing a posted message', () => {
  test.each([
    [{ outcome: 'edited', fingerprint: 'new' }, ['edited new with 7 failures']],
    [{ outcome: 'unchanged', fingerprint: 'old' }, ['edited old with 7 failures']],
    [{ outcome: 'later', reason: 'the answer was lost', fix: null }, ['not edited, again at +30 s']],
    [
      { outcome: 'later', reason: 'token_revoked', fix: 'install the Slack app again' },
      ['no edits until +300 s', 'not edited, again at +30 s'],
    ],
    [{ outcome: 'rate-limited', retryAfterMs: 9_000 }, ['no edits until +9 s', 'not edited, again at +9 s']],
    [{ outcome: 'deleted', reason: 'message_not_found' }, ['deleted']],
    [{ outcome: 'frozen', reason: 'is_inactive', scope: 'channel' }, ['frozen: channel, is_inactive']],
  ] satisfies [EditOutcome, string[]][])('records %o', async (edit, noted) => {
    const { happened, run } = delivery({ edits: [posted], edit });
    await run();
    expect(happened).toEqual(noted);
  });
});
