import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { quiet, startSlack } from '../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../sandbox/slack/server.ts';
import { announce } from '../src/alerts/announce.ts';
import { createKinds } from '../src/app/kinds.ts';
import { explainCause } from '../src/causes/explain-cause.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { DAY_MS } from '../src/lib/time/durations.ts';
import { sleep } from '../src/lib/time/waiting.ts';
import { UNKNOWN_WORKSPACE } from '../src/lib/workspace.testing.ts';
import { releaseClaims } from '../src/outbox/claims.ts';
import { createPosting } from '../src/outbox/deliver.ts';
import { slackMessages } from '../src/outbox/tables.ts';
import { createPublisher } from '../src/slack/features/posts/publisher.ts';
import { PRODUCTION } from '../src/slack/slack.testing.ts';
import { checkedTo, failureOf, NOON, openedEnvironment, reading, record } from '../src/store/examples.testing.ts';
import { describeStore } from '../src/store/store.testing.ts';
import { configuredWatch } from '../src/watches/watches.testing.ts';
import { dbWithGuard, type Guard, mortal, unguarded } from './support/mortal.ts';
import { ONCALL } from './support/person.ts';

/** Longer than any pause after a post or an edit that failed. */
const LATER = 60_000;
const SECOND = 1_000;
/** Less than a bot takes for any delivery, and more than its calls of Slack alone. */
const FEWEST_STEPS = 5;

describeStore('deliveries', (store) => {
  let slack: LocalSlack;
  let client: WebClient;
  let now = NOON;
  /** Runs the deliveries of the bot that lives. */
  let delivers: () => Promise<void>;

  beforeAll(async () => {
    slack = await startSlack({ now: () => now.getTime() });
    client = clientWith(unguarded);
  });
  afterAll(() => slack.close());
  beforeEach(async () => {
    slack.faults.clear();
    slack.calls.clear();
    passes(DAY_MS);
    await openedEnvironment(store(), 'production', now);
    await configuredWatch(store().db, ONCALL, justBefore());
    delivers = aBot(unguarded);
  });

  function passes(ms: number): void {
    now = new Date(now.getTime() + ms);
  }

  /** A watch alerts to what is recorded after it was made. */
  const justBefore = () => new Date(now.getTime() - SECOND);

  function clientWith(guard: Guard): WebClient {
    return new WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      fetch: (url, init) => guard(() => fetch(url, init)),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: quiet,
    });
  }

  /** Returns what runs a bot's deliveries once. */
  function aBot(guard: Guard): () => Promise<void> {
    const publisher = createPublisher({
      postingClient: clientWith(guard),
      logger: silent,
      storeCode: '0a1b2c3d',
      environments: [PRODUCTION],
      workspace: { namesOf: async () => new Map() },
      channels: { newId: async () => null },
      explainCause,
      sleep,
    });
    const db = dbWithGuard(store(), guard);
    const deliver = createPosting({
      db,
      publisher,
      ...UNKNOWN_WORKSPACE,
      isOurs: () => true,
      logger: silent,
      now: () => now,
      kinds: createKinds({ ...UNKNOWN_WORKSPACE, logger: silent, now: () => now, retentionDays: 30 }),
      wakeAnnouncing: async () => {},
    });
    return async () => void (await deliver(new AbortController().signal));
  }

  /**
   * Runs a bot that dies at its `n`th step and leaves everything as it is; then its leases end. Returns false if the bot got through
   * without dying.
   */
  async function dies(n: number): Promise<boolean> {
    const life = mortal(n);
    await aBot(life.guard)().catch((error: unknown) => life.mourn(error));
    await releaseClaims(store().db, 0);
    return life.isOver();
  }

  /** Starts anew: the incidents of the story before would recover, and their messages be edited, too. */
  async function nothingIsLeft(): Promise<void> {
    // A bot looks through what was posted shortly before.
    passes(DAY_MS);
    for (const table of ['slack_messages', 'incidents']) await store().db.write(`DELETE FROM ${table}`);
  }

  /** Runs a bot that dies before it writes down what it posted. */
  async function diesAfterThePost(): Promise<void> {
    const posts = () => slack.calls.of('chat.postMessage').length;
    const before = posts();
    const life = mortal(1);
    const guard: Guard = (step) => (posts() > before ? life.guard(step) : step());
    await aBot(guard)().catch((error: unknown) => life.mourn(error));
    await releaseClaims(store().db, 0);
  }

  /** Returns the texts of a message's copies in its channel: exactly one if all is well. */
  async function copiesOf(messageId: string): Promise<(string | undefined)[]> {
    const history = await client.conversations.history({ channel: ONCALL, include_all_metadata: true, limit: 500 });
    const copies = (history.messages ?? []).filter(({ metadata }) => JSON.stringify(metadata).includes(messageId));
    return copies.map(({ text }) => text);
  }

  /** Records a failure of the cause, and has it announced. */
  async function fails(cause: string): Promise<void> {
    const times = { eventKey: `${cause} at ${now.toISOString()}`, occurredAt: now, eventCreatedAt: now };
    await record(store(), 'production', reading({ failures: [failureOf(cause, times)] }), now);
    await checkedTo(store(), now);
    await announce(
      {
        db: store().db,
        logger: silent,
        now: () => now,
        horizonMs: 3 * DAY_MS,
        clock: { isSure: () => true },
        wakeOutbox: async () => {},
      },
      'production',
    );
  }

  /** Lets something fail, and returns the ID of the message about it, which nobody has posted yet. */
  async function digestOf(name: string): Promise<string> {
    await fails(name);
    return (await store().db.select().from(slackMessages))[0]?.id ?? '';
  }

  /** The text of a message that counts as many failures. */
  const failedTimes = (count: number) => [expect.stringMatching(new RegExp(`\\b${count} (of|in all)\\b`))];

  describe('when a bot dies', () => {
    test('post a message once, whichever posting step the bot dies at', async () => {
      for (let step = 1; ; step += 1) {
        await nothingIsLeft();
        const id = await digestOf(`cause ${step}`);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await copiesOf(id), `died at step ${step}`).toEqual(failedTimes(1));
        if (!isDead) return expect(step, 'the steps are guarded').toBeGreaterThan(FEWEST_STEPS);
      }
    });

    test("post it once even if the next bot dies while looking for the first one's post", async () => {
      for (let step = 1; ; step += 1) {
        await nothingIsLeft();
        const id = await digestOf(`cause ${step}`);
        await diesAfterThePost();
        expect(await copiesOf(id), 'it stands there, and nobody wrote that down').toHaveLength(1);
        passes(LATER);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await copiesOf(id), `then died at step ${step}`).toEqual(failedTimes(1));
        if (!isDead) return expect(step, 'the steps are guarded').toBeGreaterThan(FEWEST_STEPS);
      }
    });

    test('update a message once, whichever editing step the bot dies at', async () => {
      for (let step = 1; ; step += 1) {
        await nothingIsLeft();
        const id = await digestOf(`cause ${step}`);
        await delivers();
        passes(LATER);
        await fails(`cause ${step}`);
        passes(LATER);
        const isDead = await dies(step);
        passes(LATER);
        await delivers();
        expect(await copiesOf(id), `died at step ${step}`).toEqual(failedTimes(2));
        if (!isDead) return expect(step, 'the steps are guarded').toBeGreaterThan(FEWEST_STEPS);
      }
    });
  });
});
