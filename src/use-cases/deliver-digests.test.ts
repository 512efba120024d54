import { describe, expect, test } from 'vitest';
import type { DigestContent } from '../domain/delivery.ts';
import { at, NOON } from '../domain/event.testing.ts';
import {
  type ClaimedDigest,
  type DeliveryStore,
  type DigestPublisher,
  deliverDigests,
  type EditOutcome,
  type Finding,
  type PostedDigest,
  type PostOutcome,
} from './deliver-digests.ts';

const content = { id: 'd1', channel: 'C1' } as DigestContent;
const posted: PostedDigest = { id: 'd1', channel: 'C1', ts: '1.1', fingerprint: 'old' };

function delivery(options: {
  digests?: ClaimedDigest[];
  edits?: PostedDigest[];
  post?: PostOutcome;
  edit?: EditOutcome;
  finding?: Finding;
}) {
  const happened: string[] = [];
  const digests = [...(options.digests ?? [])];
  const store: DeliveryStore = {
    claimDigest: async () => digests.shift() ?? null,
    content: async () => content,
    notePosted: async (_, { ts }) => void happened.push(`posted ${ts}`),
    noteNotPosted: async (_, reason, retryAt) =>
      void happened.push(`not posted: ${reason}, again at ${seconds(retryAt)}`),
    noteUnresolved: async (_, retryAt) => void happened.push(`unresolved, look at ${seconds(retryAt)}`),
    claimEdits: async () => options.edits ?? [],
    noteEdited: async (_, fingerprint) => void happened.push(`edited ${fingerprint}`),
    noteNotEdited: async () => void happened.push('not edited'),
    endAnnouncements: async () => void happened.push('announcements ended'),
  };
  const publisher: DigestPublisher = {
    post: async (_, { possibleRepeat }) => {
      happened.push(possibleRepeat ? 'post as a possible repeat' : 'post');
      return options.post ?? { outcome: 'posted', ts: '1.1', fingerprint: 'f' };
    },
    edit: async () => options.edit ?? { outcome: 'edited', fingerprint: 'new' },
    find: async () => {
      happened.push('find');
      return options.finding ?? { found: 'no' };
    },
  };
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const signal = new AbortController().signal;
  return { happened, run: () => deliverDigests({ store, publisher, logger, now: () => NOON, signal }) };
}

function seconds(date: Date): string {
  return `+${(date.getTime() - NOON.getTime()) / 1000} s`;
}

const claimed = (change: Partial<ClaimedDigest> = {}): ClaimedDigest => ({
  id: 'd1',
  channel: 'C1',
  attempt: 1,
  unresolvedSince: null,
  ...change,
});

const refused = (change: Partial<Extract<PostOutcome, { outcome: 'not-posted' }>>): PostOutcome => ({
  outcome: 'not-posted',
  reason: 'internal_error',
  retryAfterMs: null,
  mend: null,
  ...change,
});

describe('delivering a digest', () => {
  test('posts each that waits', async () => {
    const { happened, run } = delivery({ digests: [claimed(), claimed({ id: 'd2' })] });
    await run();
    expect(happened).toEqual(['post', 'posted 1.1', 'post', 'posted 1.1']);
  });

  test('waits as long as Slack says', async () => {
    const { happened, run } = delivery({
      digests: [claimed()],
      post: refused({ reason: 'ratelimited', retryAfterMs: 7000 }),
    });
    await run();
    expect(happened).toEqual(['post', 'not posted: ratelimited, again at +7 s']);
  });

  test.each([
    [1, '+2 s'],
    [2, '+4 s'],
    [5, '+32 s'],
    [40, '+300 s'],
  ])('backs off after attempt %i', async (attempt, wait) => {
    const { happened, run } = delivery({ digests: [claimed({ attempt })], post: refused({}) });
    await run();
    expect(happened).toEqual(['post', `not posted: internal_error, again at ${wait}`]);
  });

  test('tries a set-up that has to be mended seldom, but never gives the digest up', async () => {
    const post = refused({ reason: 'not_in_channel', mend: 'Invite Notif to the channel.' });
    const { happened, run } = delivery({ digests: [claimed()], post });
    await run();
    expect(happened).toEqual(['post', 'not posted: not_in_channel, again at +300 s']);
  });

  test('does not send again when an answer is lost, but looks first', async () => {
    const { happened, run } = delivery({ digests: [claimed()], post: { outcome: 'unknown' } });
    await run();
    expect(happened).toEqual(['post', 'unresolved, look at +3 s']);
  });

  test('takes a digest that stands in its channel for posted', async () => {
    const digests = [claimed({ unresolvedSince: at(-30) })];
    const { happened, run } = delivery({ digests, finding: { found: 'yes', ts: '9.9' } });
    await run();
    expect(happened).toEqual(['find', 'posted 9.9']);
  });

  test('sends a digest that does not stand in its channel', async () => {
    const { happened, run } = delivery({ digests: [claimed({ unresolvedSince: at(-30) })] });
    await run();
    expect(happened).toEqual(['find', 'post', 'posted 1.1']);
  });

  test('sends nothing while Slack can not be asked, and asks again', async () => {
    const digests = [claimed({ unresolvedSince: at(-30), attempt: 2 })];
    const { happened, run } = delivery({ digests, finding: { found: 'not-now', reason: 'internal_error' } });
    await run();
    expect(happened).toEqual(['find', 'unresolved, look at +4 s']);
  });

  test('marks a possible repeat where the history can not be read', async () => {
    const digests = [claimed({ unresolvedSince: at(-30) })];
    const { happened, run } = delivery({ digests, finding: { found: 'cannot-read', reason: 'missing_scope' } });
    await run();
    expect(happened).toEqual(['find', 'post as a possible repeat', 'posted 1.1']);
  });
});

describe('editing the rows of a posted digest', () => {
  test.each([
    [{ outcome: 'edited', fingerprint: 'new' }, 'edited new'],
    [{ outcome: 'unchanged', fingerprint: 'old' }, 'edited old'],
    [{ outcome: 'later', reason: 'ratelimited' }, 'not edited'],
    [{ outcome: 'gone', reason: 'message_not_found' }, 'announcements ended'],
  ] satisfies [EditOutcome, string][])('notes %o', async (edit, noted) => {
    const { happened, run } = delivery({ edits: [posted], edit });
    await run();
    expect(happened).toEqual([noted]);
  });
});
