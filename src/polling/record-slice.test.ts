import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { eraseSubscriber } from '../app/erase.ts';
import { explainCause } from '../causes/explain-cause.ts';
import { changesSince } from '../changes/changes.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { failures, incidents, outbreaks, wordings } from '../incidents/tables.ts';
import { allUnseenNames } from '../incidents/unseen-names.ts';
import { ALL_FAILURES, type FailureFilter } from '../judging/filter.ts';
import { createTraffic } from '../judging/traffic.ts';
import { longestTurnMs } from '../lib/cpu.testing.ts';
import { groupBy } from '../lib/group-by.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { attemptsIn } from '../lookups/attempts.ts';
import { foundIn } from '../lookups/found.ts';
import { aDetail, aFailedEvent, aJob, anEvent, aSubscriber, at, aWorkflow } from '../service/event.testing.ts';
import type { ExecutionDetail } from '../service/event.ts';
import { aMessage } from '../service/lists.testing.ts';
import type { Db } from '../store/db.ts';
import { failureOf, readingsOf } from '../store/examples.testing.ts';
import { dbWith } from '../store/store.testing.ts';
import { settled } from './model-service.testing.ts';
import { ALWAYS, failsAt, HOUR, minutes, PolledEnvironment, sentAt } from './polling.testing.ts';
import { recordFindings } from './record-slice.ts';

const polled = new PolledEnvironment();
const PROVIDER_ERROR = 'Unexpected provider error';

describe('a poll', () => {
  test('counts a step once, however many of its details failed', async () => {
    const details = Array.from({ length: 2_000 }, (_, index) => aDetail({ id: `detail ${index}`, createdAt: at(-10) }));
    polled.service.events.push(settled({ ...anEvent({ id: 'huge', jobs: [aJob({ details })] }), createdAt: at(-20) }));
    expect(await polled.poll(0)).toMatchObject({ newFailures: 1 });
    expect(await polled.poll(1)).toMatchObject({ newFailures: 0 });
  });

  test('records an event that failed at 4,000 steps, twice, and lets other work have its turns meanwhile', async () => {
    const jobs = Array.from({ length: 4_000 }, (_, n) =>
      aJob({ id: `${n}`, status: 'failed', details: [aDetail({ createdAt: at(-10) })] }),
    );
    polled.service.events.push(settled({ ...anEvent({ id: 'huge', jobs }), createdAt: at(-20) }));
    const found: number[] = [];
    const turnMs = await longestTurnMs(async () => {
      for (const seconds of [0, 1]) found.push((await polled.poll(seconds)).newFailures);
    });
    expect(found).toEqual([4_000, 0]);
    expect(turnMs).toBeLessThan(200);
  });

  test('keeps a failure in its incident once its reason is known, with what people did, as no new one', async () => {
    const withDetails = (details: ExecutionDetail[]) =>
      settled({ ...anEvent({ id: 'late reason', jobs: [aJob({ status: 'failed', details })] }), createdAt: at(5) });
    polled.service.events.push(withDetails([]));
    expect(await polled.poll(10)).toMatchObject({ newFailures: 1 });
    const isHere = eq(outbreaks.environment, polled.name);
    await polled.db
      .update(outbreaks)
      .set({ acknowledgedBy: 'U0ANN', acknowledgedAt: at(11) })
      .where(isHere);
    polled.service.events.splice(0, 1, withDetails([aDetail({ detail: 'Key expired', createdAt: at(6) })]));
    expect(await polled.poll(20)).toMatchObject({ newFailures: 0 });
    polled.service.events.splice(0, 1, withDetails([]));
    expect(await polled.poll(30)).toMatchObject({ newFailures: 0 });
    const known = await polled.db.select().from(incidents).where(eq(incidents.environment, polled.name));
    expect(known).toMatchObject([{ causeText: 'No reason was given' }]);
    const said = await polled.db
      .select()
      .from(wordings)
      .where(eq(wordings.incidentId, known[0]?.id ?? 0))
      .orderBy(wordings.id);
    expect(said.map(({ causeText }) => causeText)).toEqual(['No reason was given', 'Key expired']);
    const counted = await polled.db.select().from(outbreaks).where(isHere);
    expect(counted).toMatchObject([{ failures: 1, acknowledgedBy: 'U0ANN' }]);
    const stored = await polled.db.select().from(failures).where(eq(failures.environment, polled.name));
    expect(stored).toMatchObject([{ recordedAt: at(10) }]);
  });

  test.each([
    { minutesAgo: 0, subscriberId: null, causeText: 'Unknown erased' },
    { minutesAgo: 61, subscriberId: '17', causeText: 'Unknown 17' },
  ])(
    'that holds a page while its subscriber is erased names them no more, until the horizon: $minutesAgo min ago',
    async ({ minutesAgo, subscriberId, causeText }) => {
      const details = [aDetail({ detail: 'Unknown 17', createdAt: at(5) })];
      const named = { subscriber: aSubscriber('17'), topicKeys: ['of-17'], tags: ['t'] };
      const event = aFailedEvent({ id: 'event-1', ...named, jobs: [aJob({ status: 'failed', details })] });
      polled.service.events.push(settled({ ...event, createdAt: at(5) }));
      const pages: string[] = [];
      polled.service.beforePage = () => {
        pages.push('read');
      };
      const transaction: Db['transaction'] = async (work) => {
        if (pages.pop() !== undefined) await eraseSubscriber(polled.db, '17', HOUR, at(-minutes(minutesAgo)));
        return polled.db.transaction(work);
      };
      expect(await polled.poll(10, { db: dbWith(polled.db, { transaction }) })).toMatchObject({ newFailures: 1 });
      const [failure] = await polled.db.select().from(failures).where(eq(failures.environment, polled.name));
      const known = { transactionId: event.transactionId, topics: ['of-17'], tags: ['t'] };
      const none = { transactionId: 'event-1', topics: [], tags: [] };
      expect(failure).toMatchObject({ subscriberId, ...(subscriberId === null ? none : known) });
      const isHere = eq(incidents.environment, polled.name);
      expect(await polled.db.select().from(incidents).where(isHere)).toMatchObject([{ causeText }]);
    },
  );

  test('knows the reason that only the message has, reads some a minute, and never loses one to what was not read', async () => {
    const details = [
      aDetail({ raw: '{"message":"Some SMS messages failed to send"}', detail: PROVIDER_ERROR, provider: 'nexmo' }),
    ];
    const jobs = [aJob({ type: 'sms', status: 'failed', provider: 'nexmo', details })];
    const ids = Array.from({ length: 35 }, (_, nth) => `vague ${nth}`);
    polled.service.events.push(
      ...ids.map((id) => settled({ ...anEvent({ id, transactionId: id, jobs }), createdAt: at(5) })),
    );
    const errorText = new FreeText('{"response":{"messages":[{"status":"4","error-text":"Bad Credentials"}]}}');
    const common = { channel: 'sms', provider: 'nexmo', status: 'error', errorText };
    polled.service.messages = ids.map((id) => aMessage({ eventId: id, transactionId: id, ...common }));
    const causes = async () => {
      const isWorded = eq(wordings.id, failures.wordingId);
      const rows = await polled.db
        .select()
        .from(failures)
        .innerJoin(wordings, isWorded)
        .where(eq(failures.environment, polled.name));
      const ofCause = groupBy(rows, (row) => row.wordings.causeText);
      return Object.fromEntries([...ofCause].map(([cause, all]) => [cause, all.length]));
    };
    await polled.poll(10);
    expect(polled.service.messageRequests).toBe(30);
    expect(await causes()).toEqual({ 'Bad Credentials (status=4)': 30, 'Some SMS messages failed to send': 5 });
    await polled.poll(20);
    expect(await causes()).toEqual({ 'Bad Credentials (status=4)': 35 });
    polled.service.messages = [];
    await polled.poll(30);
    expect(polled.service.messageRequests).toBe(35);
    expect(await causes()).toEqual({ 'Bad Credentials (status=4)': 35 });
  });

  test('says that a step that was stuck failed, though a list leaves its reason out', async () => {
    const times = { createdAt: at(-minutes(20)), updatedAt: at(-minutes(20)) };
    const withStatus = (status: string) =>
      settled({ ...anEvent({ id: 'slow', jobs: [aJob({ status, details: [], ...times })] }), ...times });
    polled.service.events.push(withStatus('queued'));
    await polled.poll(0);
    expect(await polled.found()).toMatchObject({ counts: { stuck: 1 } });
    polled.service.events.splice(0, 1, withStatus('failed'));
    await polled.past(minutes(5));
    expect(await polled.found()).toMatchObject({ counts: { failed: 1 } });
  });

  test('follows an event though one of its details is dated far ahead', async () => {
    const withDetails = (...details: ExecutionDetail[]) =>
      settled({ ...anEvent({ id: 'dated ahead', jobs: [aJob({ details })] }), createdAt: at(5) });
    const bounced = aDetail({ source: 'Webhook', createdAt: at(1e9) });
    polled.service.events.push(withDetails(bounced));
    expect(await polled.poll(10)).toMatchObject({ newFailures: 1 });
    const delivered = aDetail({ id: 'd2', status: 'Success', source: 'Webhook', createdAt: at(1e9 + 1) });
    polled.service.events.splice(0, 1, withDetails(bounced, delivered));
    await polled.poll(20);
    expect(await polled.found()).toMatchObject({ counts: { 'retried-then-fine': 1 } });
  });

  test('keeps a bounce that a busy list leaves out of its step, though a later step has changed since', async () => {
    const later = aJob({ id: 'job-2', updatedAt: at(9) });
    const withDetails = (...details: ExecutionDetail[]) =>
      settled({ ...anEvent({ id: 'bounced', jobs: [aJob({ details }), later] }), createdAt: at(5) });
    polled.service.events.push(withDetails(aDetail({ source: 'Webhook', createdAt: at(7) })));
    await polled.poll(10);
    polled.service.events.splice(0, 1, withDetails());
    await polled.poll(20);
    expect(await polled.found()).toMatchObject({ counts: { bounced: 1 } });
  });

  test('counts as failures only those that alert somebody', async () => {
    const skipped = aJob({ status: 'skipped', details: [aDetail({ createdAt: at(-20) })] });
    polled.service.events.push(settled({ ...anEvent({ id: 'skipped', jobs: [skipped] }), createdAt: at(-20) }));
    expect(await polled.poll(0)).toMatchObject({ newEvents: 1, newFailures: 0 });
    expect(await polled.found()).toMatchObject({ counts: { 'skipped-by-design': 1 } });
  });

  test('counts an event once whose steps are neither readable nor listed', async () => {
    const hidden = anEvent({ id: 'hidden', jobs: [], listsSteps: false, mayHideFailures: true });
    polled.service.events.push(settled({ ...hidden, createdAt: at(-20) }));
    expect(await polled.poll(0)).toMatchObject({ newEvents: 1, newUnreadable: 1 });
  });

  test('counts an event of which a part can’t be read as unreadable, while the list shows it', async () => {
    const partly = { ...anEvent({ id: 'partly readable', mayHideFailures: true }), createdAt: at(-20) };
    polled.service.events.push(settled(partly));
    expect(await polled.poll(0)).toMatchObject({ newEvents: 1, newUnreadable: 1 });
    polled.service.events.length = 0;
    expect(await polled.past(60)).toMatchObject({ newEvents: -1, newUnreadable: -1 });
  });

  test.each(['poll', 'past'] as const)(
    'shows no failure before its events are counted, page by page: %s',
    async (how) => {
      await polled.poll(0);
      const listedAt = at(how === 'poll' ? 0 : 90);
      for (let n = 1; n <= 250; n += 1) polled.service.events.push({ ...failsAt(30 + n / 10), listedAt });
      let shown = 0;
      const watched = dbWith(polled.db, {
        transaction: async (work) => {
          const result = await polled.db.transaction(work);
          const { failedEvents, eventsChecked } = await polled.found();
          expect(eventsChecked).toBe(failedEvents);
          shown += 1;
          return result;
        },
      });
      if (how === 'past') await polled.poll(60);
      await polled[how](how === 'poll' ? 60 : 200, { db: watched });
      expect(shown).toBeGreaterThan(0);
      expect(await polled.found()).toMatchObject({ failedEvents: 250 });
    },
  );

  test('counts by mail domain, but for domains of one or two people, which could name them', async () => {
    const sent = (id: string, domain: string, isFailed: boolean) => {
      const event = isFailed ? aFailedEvent({ id }) : anEvent({ id });
      const subscriber = aSubscriber(id, { maskedEmail: `a•••@${domain}` });
      return settled({ ...event, subscriber, createdAt: at(5) });
    };
    const failing = ['a', 'b'].map((id) => sent(id, 'Shop.example', true));
    const alone = [sent('c', 'ann-lee.example', true), sent('d', 'ann-lee.example', false)];
    polled.service.events.push(...failing, ...alone);
    const traffic = createTraffic();
    await polled.poll(10, { traffic });
    const found = (filter: Partial<FailureFilter> = {}) =>
      foundIn(polled.db, polled.name, { range: ALWAYS, coverage: ALWAYS }, { ...ALL_FAILURES, ...filter });
    const counted = async (filter?: Partial<FailureFilter>) => {
      const rows = await attemptsIn(polled.db, 'domain', await found(filter), null);
      return rows.map(({ name, failed, delivered }) => [name, failed, delivered]).toSorted();
    };
    expect(await counted()).toEqual([['', 3, 1]]);
    polled.service.events.push(sent('e', 'shop.example', false));
    await polled.poll(20, { traffic });
    expect(await counted()).toEqual([
      ['', 1, 1],
      ['shop.example', 2, 1],
    ]);
    // A restart knows the domain, though it has seen no people yet.
    await polled.past(90);
    expect(await counted()).toHaveLength(2);
    expect(await counted({ domains: ['shop.example'] })).toEqual([['shop.example', 2, 1]]);
    expect(
      await allUnseenNames(polled.db, { ...ALL_FAILURES, domains: ['shop.example', 'ann-lee.example'] }, [polled]),
    ).toMatchObject([{ name: 'ann-lee.example', similar: null }]);
  });

  test('learns of workflows, which a pass doesn’t repeat', async () => {
    const late = { ...anEvent({ workflow: aWorkflow({ identifier: 'late', name: 'Late' }) }), createdAt: at(30) };
    polled.service.events.push(sentAt(20), { ...settled(late), listedAt: at(90) });
    await polled.poll(60);
    expect(await polled.past(120)).toMatchObject({ newEvents: 1 });
    expect(await workflowsIn(polled.db, polled.name)).toMatchObject([{ identifier: 'order-shipped' }]);
  });

  test('notices once that a workflow was deleted or created again, and keeps its name with what failed', async () => {
    const { events } = polled.service;
    events.push(failsAt(20));
    await polled.poll(60);
    const deleted = { ...failsAt(20).seenAt(at(60)), workflow: null, deletedWorkflowId: '64w' };
    events.splice(0, 1, { ...failsAt(20), seenAt: () => deleted });
    for (const seconds of [120, 240]) await polled.past(seconds);
    const failed = await polled.db.select().from(failures).where(eq(failures.environment, polled.name));
    expect(failed).toMatchObject([{ workflow: 'order-shipped', workflowName: 'Order shipped' }]);
    const workflow = aWorkflow({ id: '65w', identifier: 'order-shipped', name: 'Order shipped' });
    events.push(settled({ ...anEvent({ id: 'again', workflow }), createdAt: at(250) }));
    await polled.poll(300);
    const seen = { since: at(0), environments: [polled.name], olderThan: null, limit: 9 };
    const { items } = await changesSince(polled.db, seen);
    expect(items).toMatchObject([
      { notBefore: at(20), what: { aspects: ['created again'] } },
      { at: at(120), notBefore: at(20), what: { identifier: 'order-shipped', aspects: ['deleted'] } },
    ]);
  });
});

test('Processes that record at once begin one incident', async () => {
  await polled.poll(0);
  const pages = Array.from({ length: 4 }, (_, page) => [failureOf('refused', { eventKey: `event ${page}` })]);
  await Promise.all(
    pages.map((failures) =>
      polled.db.transaction((tx) =>
        recordFindings(
          tx,
          polled.name,
          { readings: readingsOf(failures), workflows: [], waiting: [] },
          { now: polled.now, explainCause },
        ),
      ),
    ),
  );
  const begun = await polled.db.select().from(outbreaks).where(eq(outbreaks.environment, polled.name));
  expect(begun).toMatchObject([{ failures: 4 }]);
});
