import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { previewOf } from '../../domain/alerting/preview.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { aWorkflow } from '../../domain/service/event.testing.ts';
import { EVERYTHING, UNFILTERED, type Watch, type WatchSettings } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, failureOf, reading, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const MINUTES = 90;

/** A stretch of minutes, each with a failure of a cause, then as many with a delivery each. */
interface Stretch {
  readonly channel: string;
  readonly from: number;
  readonly minutes: number;
  readonly failures: number;
  readonly delivered: number;
  readonly severity: string | null;
  readonly critical: boolean;
  readonly workflow: string;
  readonly contexts: readonly string[];
  readonly subscriberId: string;
  readonly topics: readonly string[];
  /** Minutes from creation to failure. */
  readonly lateMinutes: number;
}

const stretches: fc.Arbitrary<readonly Stretch[]> = fc.array(
  fc.record({
    channel: fc.constantFrom('email', 'sms'),
    from: fc.nat(MINUTES - 20),
    minutes: fc.integer({ min: 1, max: 12 }),
    failures: fc.integer({ min: 1, max: 6 }),
    delivered: fc.integer({ min: 0, max: 15 }),
    severity: fc.constantFrom('high', 'low', null),
    critical: fc.nat(3).map((die) => die === 0),
    workflow: fc.constantFrom('order-shipped', 'invoice'),
    contexts: fc.constantFrom([], ['tenant:acme'], ['tenant:globex']),
    subscriberId: fc.constantFrom('user-1', 'user-2', 'user-3'),
    topics: fc.constantFrom([], ['launch']),
    lateMinutes: fc.constantFrom(0, 0, 0, 3),
  }),
  { minLength: 1, maxLength: 6 },
);

const settings: fc.Arbitrary<WatchSettings> = fc
  .record({
    filter: fc.constantFrom(
      {},
      {},
      { channels: ['EMAIL'] },
      { severities: ['High'] },
      { workflows: ['invoice'] },
      { contexts: ['tenant:acme'] },
      { subscribers: ['user-1', 'user-2'] },
      { topics: ['Launch'] },
      { verdicts: ['bounced' as const, 'failed' as const] },
    ),
    threshold: fc.option(
      fc.record({
        failures: fc.integer({ min: 2, max: 20 }),
        withinMs: fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * 60_000),
        rate: fc.constantFrom(null, null, 0.5),
      }),
    ),
    everyMs: fc.constantFrom(0, 0, 20 * 60_000),
    quiet: fc.constantFrom(null, null, { from: 12 * 60 + 30, to: 13 * 60 }),
  })
  .map(({ filter, ...others }) => ({ ...UNFILTERED, ...others, filter: { ...EVERYTHING, ...filter } }));

const RowRow = z.object({ announced_at: z.date(), episode_id: z.coerce.number(), reason: z.string() });

describeStore("a watch's preview", (store) => {
  let runs = 0;

  test('has the messages that the watch posted, with the same contents', async () => {
    await fc.assert(
      fc.asyncProperty(stretches, settings, async (played, settings) => {
        runs += 1;
        const environment = `environment-${runs}`;
        await store().polling.takeCursor(environment, at(-60));
        const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(-1));
        for (let minute = 0; minute < MINUTES; minute += 1) await poll(environment, minute, played);
        const range = { from: at(0), to: at(MINUTES - 1) };
        const episodes = await store().alerting.pastEpisodes(environment, settings, range.from);
        const preview = await previewOf(settings, episodes, range, async () => {});
        expect(preview.messages.map(rowsOf)).toEqual(await posted(environment, watch));
        await store().watches.endWatch(watch.id, 'U1', at(0));
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  const rowsOf = ({ at, incidents }: Awaited<ReturnType<typeof previewOf>>['messages'][number]) => ({
    at,
    rows: incidents.map(({ episodeId, reason }) => `${episodeId} ${reason}`).toSorted(),
  });

  const posted = async (environment: string, { id }: Watch) => {
    const { rows } = await store().executeSql(
      `SELECT a.announced_at, a.episode_id, a.reason FROM announcements a JOIN messages m ON m.id = a.message_id
       WHERE m.watch_id = $1 AND m.environment = $2 ORDER BY a.announced_at`,
      [id, environment],
    );
    const messages = new Map<number, string[]>();
    for (const row of rows.map((one) => RowRow.parse(one))) {
      const time = row.announced_at.getTime();
      messages.set(time, [...(messages.get(time) ?? []), `${row.episode_id} ${row.reason}`]);
    }
    return [...messages].map(([time, words]) => ({ at: new Date(time), rows: words.toSorted() }));
  };

  const poll = async (environment: string, minute: number, played: readonly Stretch[]) => {
    const now = at(minute);
    const failures = played.flatMap((one, index) => failuresOf(one, index, minute));
    const delivering = played.filter(({ from, minutes }) => minute >= from + minutes && minute < from + 2 * minutes);
    const trackedEvents = [
      ...failures.map(({ eventKey, workflow }) =>
        trackedEvent({ eventKey, createdAt: now, workflow: workflowOf(workflow ?? '') }),
      ),
      ...delivering.flatMap(({ channel, delivered, workflow }, index) =>
        Array.from({ length: delivered }, (_, n) =>
          trackedEvent({
            eventKey: `delivered ${minute} ${index} ${n}`,
            createdAt: now,
            workflow: workflowOf(workflow),
            delivered: [{ channel, provider: 'sendgrid', at: now }],
          }),
        ),
      ),
    ];
    const successes = delivering
      .filter(({ delivered }) => delivered > 0)
      .map(({ channel, workflow }) => ({ channel, workflow, provider: 'sendgrid', from: now, to: now }));
    const cursor = await store().polling.takeCursor(environment, now);
    await store().polling.record(cursor, reading({ failures, trackedEvents, successes }), now);
    await store().polling.finishPresent(
      cursor,
      { to: now, setAside: [], clockAheadMs: null, newestEventAt: null },
      now,
    );
    await announceFailures(environment, { store: store().alerting, logger: silent, now: () => now });
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now)) {
      await store().deliveries.notePosted(one.id, { ts: one.id, fingerprint: '', failures: 0 }, now);
    }
  };
});

const workflowOf = (identifier: string) => aWorkflow({ identifier, name: identifier });

function failuresOf(stretch: Stretch, index: number, minute: number): Failure[] {
  const { from, minutes, failures, lateMinutes, ...own } = stretch;
  if (minute < from || minute >= from + minutes) return [];
  const { channel, workflow, severity, critical, contexts, subscriberId, topics } = own;
  const occurredAt = at(minute - lateMinutes);
  return Array.from({ length: failures }, (_, n) =>
    failureOf(channel, {
      ...{
        channel,
        workflow,
        severity,
        critical,
        contexts,
        subscriberId,
        topics,
        occurredAt,
        eventCreatedAt: occurredAt,
      },
      eventKey: `${index} ${minute} ${n}`,
    }),
  );
}
