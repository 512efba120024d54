import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../sandbox/slack/server.ts';
import { quiet, startSlack } from '../sandbox/slack/testing.ts';
import { explainCause } from '../src/domain/causes/explain-cause.ts';
import { UNFILTERED } from '../src/domain/watches/watch.ts';
import { createPublisher } from '../src/slack/digest/publisher.ts';
import { PRODUCTION } from '../src/slack/slack.testing.ts';
import { digestAt, goOn } from '../src/store/deliveries/deliveries.testing.ts';
import { NOON } from '../src/store/examples.testing.ts';
import { describeStore, silent } from '../src/store/store.testing.ts';
import { deliverMessages } from '../src/use-cases/alerting/deliver-messages.ts';
import { type Guard, mortal, unguarded, withGuard } from './support/mortal.ts';
import { GENERAL, ONCALL } from './support/person.ts';

/** Longer than any pause after a post or an edit that failed. */
const LATER = 60_000;
/** Longer than Notif keeps editing a message. */
const A_DAY = 24 * 60 * LATER;
const SECOND = 1_000;

describeStore('deliveries', (store) => {
  let slack: LocalSlack;
  let client: WebClient;
  let now = NOON;

  beforeAll(async () => {
    slack = await startSlack({ now: () => now.getTime() });
    client = clientWith(unguarded);
  });
  afterAll(() => slack.close());
  beforeEach(async () => {
    slack.faults.clear();
    slack.calls.clear();
    passes(A_DAY);
    await store().watches.ensureWatch(ONCALL, now);
  });

  function passes(ms: number): void {
    now = new Date(now.getTime() + ms);
  }

  function clientWith(guard: Guard): WebClient {
    return new WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      fetch: (url, init) => guard(() => fetch(url, init)),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: quiet,
    });
  }

  /** Runs one bot's deliveries once. */
  async function delivers(guard: Guard = unguarded): Promise<void> {
    await deliverMessages({
      store: withGuard(store().deliveries, guard),
      publisher: createPublisher({
        deliveryClient: clientWith(guard),
        environments: [PRODUCTION],
        explainCause,
        logger: silent,
      }),
      operators: [],
      logger: silent,
      now: () => now,
      signal: new AbortController().signal,
    });
  }

  /**
   * Runs a bot that dies at its `n`th step and leaves everything as it is; then its leases end. Returns false if the bot got through
   * without dying.
   */
  async function dies(n: number): Promise<boolean> {
    const life = mortal(n);
    await delivers(life.guard).catch((error: unknown) => life.mourn(error));
    await store().deliveries.releaseClaims(0);
    return life.isOver();
  }

  /** Runs deliveries every ten seconds for `ms`. */
  async function deliversFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10 * SECOND) {
      await delivers();
      passes(10 * SECOND);
    }
  }

  /** Returns the texts of a message's copies in its channel: exactly one if all is well. */
  async function membership(messageId: string): Promise<(string | undefined)[]> {
    const history = await client.conversations.history({ channel: ONCALL, include_all_metadata: true, limit: 500 });
    const copies = (history.messages ?? []).filter(({ metadata }) => JSON.stringify(metadata).includes(messageId));
    return copies.map(({ text }) => text);
  }

  const causes = (count: number) => Array.from({ length: count }, (_, n) => `cause ${n}`);

  /** Writes a digest for each name. */
  async function messagesOf(...names: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push(await digestAt(store(), now, name));
    return ids;
  }

  /** Writes a digest for each name, and posts each before writing the next. */
  async function postedMessagesOf(...names: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      ids.push(await digestAt(store(), now, name));
      await delivers();
    }
    return ids;
  }

  const failedTimes = (count: number) => [expect.stringContaining(`${count} failed`)];

  describe('when a bot dies', () => {
    test('post a message once, whichever posting step the bot dies at', async () => {
      for (let step = 1; ; step += 1) {
        passes(A_DAY);
        const id = await digestAt(store(), now, `cause ${step}`);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await membership(id), `died at step ${step}`).toEqual(failedTimes(1));
        if (!isDead) break;
      }
    });

    test("post it once even if the next bot dies while looking for the first one's post", async () => {
      const afterThePost = 6;
      for (let step = 1; ; step += 1) {
        passes(A_DAY);
        const id = await digestAt(store(), now, `cause ${step}`);
        await dies(afterThePost);
        expect(await membership(id), 'it stands there, and nobody wrote that down').toHaveLength(1);
        passes(LATER);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await membership(id), `then died at step ${step}`).toEqual(failedTimes(1));
        if (!isDead) break;
      }
    });

    test('update a message once, whichever editing step the bot dies at', async () => {
      for (let step = 1; ; step += 1) {
        passes(A_DAY);
        const id = await digestAt(store(), now, `cause ${step}`);
        await delivers();
        passes(LATER);
        await goOn(store(), now, `cause ${step}`);
        passes(LATER);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await membership(id), `died at step ${step}`).toEqual(failedTimes(2));
        if (!isDead) break;
      }
    });
  });

  describe('during a rate limit', () => {
    test('post nothing until it ends, and then everything as one message', async () => {
      const ids = await messagesOf(...causes(6));
      slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 30 }, 3);
      await deliversFor(2 * LATER);
      expect(slack.calls.of('chat.postMessage')).toHaveLength(1 + 3);
      const copies = await Promise.all([...new Set(ids)].map(membership));
      expect(copies.flat()).toEqual([expect.stringContaining('production: 6 incidents.')]);
    });

    test('edit each message once when it ends, with its latest content, and at most thirty in any minute', async () => {
      const names = causes(33);
      const ids = await postedMessagesOf(...names);
      passes(LATER);
      await goOn(store(), now, ...names);
      passes(LATER);
      slack.faults.next('chat.update', { kind: 'rate-limited', retryAfterSeconds: 20 }, 2);
      await deliversFor(20 * SECOND);
      await goOn(store(), now, ...names);
      for (let minute = 0; minute < 3; minute += 1) {
        await deliversFor(20 * SECOND);
        passes(40 * SECOND);
      }
      const edits = slack.calls.of('chat.update').map(({ at }) => at);
      expect(edits).toHaveLength(ids.length + 2);
      for (const from of edits)
        expect(edits.filter((at) => at >= from && at < from + LATER).length).toBeLessThanOrEqual(30);
      for (const id of ids) expect(await membership(id)).toEqual(failedTimes(3));
    });
  });

  test('show a state change at once, even shortly after posting', async () => {
    const ids = await postedMessagesOf('a', 'b');
    passes(SECOND);
    await store().executeSql(`UPDATE episodes SET state = 'quiet'`);
    await store().executeSql('UPDATE messages SET redraw_at = $1', [now]);
    await delivers();
    expect(slack.calls.of('chat.update')).toHaveLength(ids.length);
  });

  test("notify a watch's creator once that its channel was archived, and then leave the channel alone", async () => {
    const ann = slack.workspace.as('U0ANN');
    const { id } = await store().watches.ensureWatch(ONCALL, now);
    await store().watches.endWatch(id, 'U0ANN', now);
    await store().watches.makeWatch({ channel: GENERAL, createdBy: 'U0ANN', settings: UNFILTERED }, now);
    await messagesOf('a', 'b');
    await ann.archives(GENERAL);
    await deliversFor(2 * LATER);
    await ann.unarchives(GENERAL);
    expect(slack.calls.of('chat.postMessage').map(({ args }) => args)).toMatchObject([
      { channel: GENERAL },
      { channel: 'U0ANN', text: expect.stringContaining('was removed: the channel is archived') },
    ]);
  });
});
