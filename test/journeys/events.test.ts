import { beforeAll, describe, expect, test } from 'vitest';
import type { EventPlan } from '../../sandbox/service/event-plan.ts';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import type { Person } from '../support/person.ts';
import { MINUTE, openWorldAsleep, sharedWorld } from '../support/world.ts';

/** A delivered event with a detail that lacks its ID, which the contract requires: it may be a failure. */
const partlyUnreadable = (given: EventPlan): EventPlan => ({
  ...delivered(given),
  disguise: (event) => ({
    ...event,
    jobs: event.jobs.map((job) => ({ ...job, executionDetails: job.executionDetails.map(({ _id, ...rest }) => rest) })),
  }),
});

describe('/notif events', () => {
  const world = sharedWorld(() => openWorldAsleep({ environments: ['production', 'staging'] }));
  let ann: Person;
  beforeAll(async () => {
    ann = world.ann;
    const { world: service } = world.service;
    const minutesAgo = (minutes: number) => service.now() - minutes * MINUTE;
    service.plantEvent(delivered({ subscriber: 'early-1', createdAt: minutesAgo(300), severity: 'low' }));
    service.plantEvent(
      failed('sms', {
        workflow: 'payment-failed',
        subscriber: 'launch-1',
        createdAt: minutesAgo(20),
        severity: 'high',
        transactionId: 'txn_launch01',
        topics: ['launch'],
        contextKeys: ['tenant:acme', 'app:shop'],
      }),
    );
    const launched = { transactionId: 'txn_launch02', topics: ['launch'] };
    service.plantEvent(delivered({ subscriber: 'launch-2', createdAt: minutesAgo(10), ...launched }));
    Object.assign(service.subscriber('launch-2'), { email: 'anna@people.example' });
    await world.start();
    await world.log.until('"newFailures":1');
  });

  test('lists who got what and its outcome, the newest first, only to the person who asked', async () => {
    const answer = await ann.asks('/notif events topic:launch since:1h');
    expect(answer.words).toMatch(/^production · Topic launch · 2 events\n/);
    expect(answer.words).toMatch(/✅ delivered \| order-shipped · txn_launch02 \| .* \| launch-2 \| Look up$/m);
    expect(answer.words).toMatch(
      /🔴 failed · SMS · Twilio: .* \| payment-failed · txn_launch01 \| .* \| launch-1 \| Look up$/m,
    );
    expect(answer.words.indexOf('txn_launch02')).toBeLessThan(answer.words.indexOf('txn_launch01'));
    expect(answer.words).toMatch(/^Since /m);
    expect(world.ben.messages()).toEqual([]);
  });

  test('is narrowed by the service with any of its filters', async () => {
    for (const filters of [
      'workflow:"Payment failed" tx:txn_launch01',
      'subscriber:launch-1 channel:sms since:1h',
      'topic:launch workflow:payment-failed,order-shipped until:15m',
      'severity:high context:app:shop,tenant:acme search:launch-1',
    ]) {
      const answer = await ann.asks(`/notif events ${filters}`);
      expect(answer.words).toContain('· 1 event');
      expect(answer.words).toContain(' · txn_launch01');
    }
  });

  test('finds people by their address, which it masks', async () => {
    const answer = await ann.asks('/notif events email:anna@people.example');
    expect(answer.words).toMatch(/^production · Email a•••@people\.example · 1 event\n/);
    expect(answer.words).toMatch(/ \| launch-2 \| Look up$/m);
    await ann.clicks('Share', await ann.asks('/notif events search:anna@'));
    const shared = await world.ben.sees('Shared by');
    expect(shared.words).toContain('production · Search ••• · 1 event');
    expect(shared.words).not.toContain('anna@');
  });

  test.each(['user-کتاب\u200cخانه', 'user-क्\u200dष', 'user-👨\u200d👩\u200d👧'])(
    'asks for an ID with the joiners of its words and emoji: %s',
    async (subscriber) => {
      world.service.world.plantEvent(delivered({ subscriber }));
      const { words } = await ann.asks(`/notif events subscriber:${subscriber}`);
      expect(words).toContain('· 1 event');
    },
  );

  test('loads as many as fit, and the rest after clicks, each once', async () => {
    for (let n = 0; n < 130; n++) {
      world.service.world.plantEvent(delivered({ subscriber: 'many-1', transactionId: `txn_many${1000 + n}` }));
    }
    const seen: string[] = [];
    let answer = await ann.asks('/notif events subscriber:many-1 since:1h');
    expect(answer.words).toContain('events; there are more');
    while (true) {
      seen.push(...new Set(answer.words.match(/(?<= · )txn_many\d{4}/g)));
      if (seen.length >= 130) break;
      await ann.clicks('Load more', answer);
      answer = await ann.gets(`Subscriber many-1 · ${seen.length + 1}–`);
    }
    expect(new Set(seen).size).toBe(130);
    expect(seen).toHaveLength(130);
    expect(answer.words).toContain('–130 of 130 events');
  });

  test('says what an empty answer covers, and what to do', async () => {
    const nothing = await ann.asks('/notif events subscriber:early-1 since:2h');
    expect(nothing.words).toMatch(/production · Subscriber early-1 · no events\nSince /);
    expect(nothing.words).toContain('Check upper and lower case, and the environment (env:).');
    expect((await ann.asks('/notif events subscriber:early-1')).words).toContain('· 1 event');
    const elsewhere = await ann.asks('/notif events subscriber:early-1 env:staging');
    expect(elsewhere.words).toContain('staging · Subscriber early-1 · no events');
  });

  test('shows what is older than is stored, as /notif failures says', async () => {
    const refused = await ann.asks('/notif failures since:90d');
    expect(refused.words).toContain('Older events, as far as the service keeps them: /notif events.');
  });

  test('corrects the name of a workflow', async () => {
    const { words } = await ann.asks('/notif events workflow:ordr-shipped');
    expect(words).toMatch(/Did you mean order-shipped\?\nChange it and try again\.$/);
  });

  test("explains why the service didn't list them", async () => {
    const beyond = await ann.asks('/notif events since:400d');
    expect(beyond.words).toMatch(/its plan didn't allow this \(402\).*earliest accessible date for your plan is \d{4}/);
    expect((await ann.asks('/notif events until:2020-01-01')).words).toContain(
      'earliest accessible date for your plan is',
    );
    world.service.faults.set('listEvents', { kind: 'status', status: 401 }, { times: 1 });
    const refused = await ann.asks('/notif events severity:high');
    expect(refused.words).toContain("Couldn't read from production: the API key was refused (401).");
  });
});

describe('a service whose clock is ahead, and that shows too little', () => {
  const world = sharedWorld(() => openWorldAsleep());
  const outcomes = { subscriber: 'hidden-1', transactionId: 'txn_hidden1' };
  beforeAll(async () => {
    const before = { ...outcomes, createdAt: world.service.world.now() - 30 * MINUTE };
    for (let n = 0; n < 2; n++) world.service.world.plantEvent(partlyUnreadable(before));
    world.service.advance(90_000);
    await world.start();
    await world.log.until('Events checked');
  });

  test('gives no all-clear for them, and calls none of them delivered', async () => {
    const { ann } = world;
    const failures = await ann.asks('/notif failures');
    expect(failures.words).toContain('No failures found in production');
    expect(failures.words).toContain('2 events unreadable');
    const transaction = await ann.asks('/notif txn_hidden1');
    expect(transaction.words).toContain('❔ 2 with no outcome shown');
    expect(transaction.words).not.toContain('All 2 events');
    expect((await ann.asks('/notif hidden-1')).words).toContain('❔ outcome not shown');
  });

  test('retrieves those that the list shows without their steps', async () => {
    const { ann, service } = world;
    service.world.plantEvent(failed('sms', { subscriber: 'lean-1', createdAt: service.world.now() - 300 * MINUTE }));
    service.behave({ eventListLacks: ['jobs'] });
    expect((await ann.asks('/notif lean-1')).words).toContain('🔴 failed');
    service.behave({ eventListLacks: [] });
  });

  test('has a subscriber found whose first event is a minute old, by any way to look one up', async () => {
    const { ann, service } = world;
    const createdAt = service.world.now() - MINUTE;
    service.world.plantEvent(failed('email', { subscriber: 'ahead-0042', transactionId: 'txn_ahead1', createdAt }));
    expect((await ann.asks('/notif ahead-0042')).words).toContain('1 newest event');
    expect((await ann.asks('/notif subscriber:ahead-0042')).words).toContain('1 newest event');
    expect((await ann.asks('/notif txn_ahead1')).words).toContain('for ahead-0042');
    world.passes(MINUTE);
    // It's older than what was read last, so a pass over the past finds it, in its own time.
    const failures = async () => (await ann.asks('/notif failures subscriber:ahead-0042')).words;
    await expect.poll(failures, { interval: 500 }).toContain('1 failure');
  });

  describe('where it shows a time to come', () => {
    beforeAll(() => {
      const { world: there } = world.service;
      for (const transactionId of ['txn_ahead01', 'txn_ahead02', 'txn_ahead02'])
        there.plantEvent(failed('email', { subscriber: 'ahead-1', transactionId }));
      there.plantTopic('ahead', ['ahead-1']);
    });

    test.each([
      ...['events subscriber:ahead-1', 'messages subscriber:ahead-1', 'subscriber ahead-1', 'topic ahead'],
      ...['txn_ahead01', 'txn_ahead02', 'status'],
    ])('says how far its clock is ahead: /notif %s', async (line) => {
      expect((await world.ann.asks(`/notif ${line}`)).words).toMatch(/the service's clock is \d+ (?:s|min) ahead/);
    });
  });

  describe('once it ignores filters', () => {
    const IGNORED = /The service ignored tx:\. Left out: \d+ results?\./;
    beforeAll(() => {
      const { world: there } = world.service;
      for (let n = 0; n < 60; n++) {
        Object.assign(there.subscriber(`stranger-${n}`), { email: `stranger-${n}@people.example` });
        there.plantEvent(failed('sms', { subscriber: `stranger-${n}` }));
      }
      there.plantEvent(
        failed('email', { subscriber: 'sought-1', transactionId: 'txn_sought1', createdAt: there.now() - MINUTE }),
      );
      there.plantTopic('many', ['stranger-1', 'stranger-2', 'sought-1']);
      world.service.behave({ ignores: ['transactionId', 'subscriberIds', 'subscriberId', 'emails'] });
    });

    test.each(['/notif tx-unknown-9', '/notif events tx:tx-unknown-9'])(
      "makes nobody else's events the answer to %s",
      async (line) => {
        const answer = await world.ann.asks(line);
        expect(answer.words).toMatch(IGNORED);
        expect(answer.words).toMatch(/No event found for tx-unknown-9|no events; there are more/);
        expect(answer.words).not.toContain('stranger-');
      },
    );

    test('finds what fits among the others, and says so once', async () => {
      const { ann } = world;
      const transaction = await ann.asks('/notif txn_sought1');
      expect(transaction.words).toContain('txn_sought1 made 1 event');
      expect(transaction.words).toMatch(IGNORED);
      const messages = await ann.asks('/notif messages subscriber:sought-1 tx:txn_sought1');
      expect(messages.words).toMatch(/production · 1 message\n/);
      expect(messages.words).toContain('ignored subscriber: and tx:.');
      const topic = await ann.asks('/notif topic many subscriber:sought-1');
      expect(topic.words).toMatch(/· 1 subscription\n/);
      expect(topic.words).toContain('ignored subscriber:.');
      expect(topic.words).not.toContain('stranger-');
    });

    test('is named where an address leads to nobody', async () => {
      const answer = await world.ann.asks('/notif failures email:nobody@people.example');
      expect(answer.words).toMatch(
        /No event for n•••@people\.example seen[\s\S]*ignored email:\. Left out: 50 results/,
      );
    });
  });
});
