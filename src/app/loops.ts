import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time/durations.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import type { Loop } from '../lib/loop.ts';
import { type PollParts, pollPast, pollPresent, unlessPaused } from '../polling/poll.ts';
import type { Store } from '../store/store.ts';
import { announceAll } from '../use-cases/alerting/announce-all.ts';
import { announceFailures } from '../use-cases/alerting/announce-failures.ts';
import { type DeliveryPublisher, deliverMessages } from '../use-cases/alerting/deliver-messages.ts';
import { createSummariser } from '../use-cases/alerting/summarise-day.ts';
import { type ReadIntegrationsParts, readIntegrations } from '../use-cases/changes/read-integrations.ts';
import { type HeartbeatParts, sendHeartbeat } from '../use-cases/health/send-heartbeat.ts';
import { type ResumeAbandonedParts, resumeAbandoned } from '../use-cases/triggers/resume-abandoned.ts';
import { statusStore } from './stores.ts';

export interface LoopTableParts {
  readonly ctx: PollingCtx;
  readonly store: Store;
  readonly environments: readonly string[];
  /** Whether this replica runs the loops of an environment now; null asks for those of the installation. */
  readonly isOurs: (environment: string | null) => boolean;
  readonly wake: (loop: string) => Promise<void>;
  readonly polling: Pick<PollParts, 'polls' | 'pauseOf' | 'count'>;
  readonly integrationsOf: (environment: string) => ReadIntegrationsParts['service'];
  readonly publisher: DeliveryPublisher;
  readonly operators: readonly string[];
  readonly triggers: Pick<ResumeAbandonedParts, 'resume' | 'aloneSince'>;
  /** Null if there is nobody to call. */
  readonly heartbeat: Pick<HeartbeatParts, 'call' | 'onHeartbeat'> | null;
  readonly daysKept: number;
}

export const ANNOUNCE = 'announce';
export const DELIVER = 'deliver';
export const PRUNE = 'prune';
export const pollLoop = (environment: string): string => `poll-${environment}`;
const pastLoop = (environment: string): string => `past-${environment}`;
const HEARTBEAT = 'heartbeat';

/** What runs without a person. An environment's line of the status says itself whether it is polled. */
export function loopTable(parts: LoopTableParts): Loop[] {
  const { environments, ctx } = parts;
  const { pollMs } = ctx;
  const run = runsFor(parts);
  const isOurs = () => parts.isOurs(null);
  const pastMs = Math.min(pollMs, 5 * MINUTE_MS);
  const comparedMs = Math.min(2 * pollMs, 2 * MINUTE_MS);
  return [
    ...environments.flatMap((name) => {
      const ofEnvironment = { timeLimitMs: 10 * MINUTE_MS, isOurs: () => parts.isOurs(name) };
      const [late, changes] = [`Late failures of ${name}`, `Changes of integrations of ${name}`];
      return [
        { ...ofEnvironment, name: pollLoop(name), delays: null, everyMs: pollMs, run: run.poll(name) },
        { ...ofEnvironment, name: pastLoop(name), delays: late, everyMs: pastMs, run: run.past(name, pastMs) },
        {
          ...ofEnvironment,
          name: `integrations-${name}`,
          delays: changes,
          everyMs: comparedMs,
          run: run.compare(name),
        },
      ];
    }),
    { name: ANNOUNCE, delays: 'Alerts', everyMs: pollMs, timeLimitMs: 5 * MINUTE_MS, isOurs, run: run.announce },
    // Every replica delivers: each message is claimed by one of them.
    { name: DELIVER, delays: 'Messages', everyMs: 30 * SECOND_MS, timeLimitMs: 2 * MINUTE_MS, ...run.deliver },
    {
      name: 'triggers',
      delays: 'Outcomes of tests',
      everyMs: MINUTE_MS,
      timeLimitMs: 3 * MINUTE_MS,
      isOurs,
      run: run.resume,
    },
    {
      name: 'summaries',
      delays: 'Daily summaries',
      everyMs: Math.min(pollMs, 30 * SECOND_MS),
      timeLimitMs: 2 * MINUTE_MS,
      isOurs,
      run: run.summarise,
    },
    {
      name: PRUNE,
      delays: 'Deletions of old data',
      everyMs: HOUR_MS,
      timeLimitMs: 10 * MINUTE_MS,
      isOurs,
      run: run.prune,
    },
    ...run.beat.map((beat) => ({
      name: HEARTBEAT,
      delays: 'Heartbeats',
      everyMs: pollMs,
      timeLimitMs: 30 * SECOND_MS,
      isOurs,
      run: beat,
    })),
  ];
}

type Run = Loop['run'];

function runsFor(parts: LoopTableParts) {
  const { ctx, store, environments, wake, integrationsOf, publisher, operators, heartbeat, daysKept } = parts;
  const { log: logger, now, pollMs } = ctx;
  const shared = { environments, pollMs, logger, now };
  const wakeAnnouncing = () => wake(ANNOUNCE);
  const polling = { ...parts.polling, wakeAnnouncing, wakePast: (name: string) => wake(pastLoop(name)) };
  const writeSummaries = createSummariser({ ...shared, store: store.alerting });
  let hasBeaten = heartbeat === null;

  const poll =
    (name: string): Run =>
    (signal) =>
      pollPresent(ctx, name, signal, polling);
  const past =
    (name: string, everyMs: number): Run =>
    (signal) =>
      pollPast(ctx, name, signal, { ...polling, forMs: 0.8 * everyMs });
  const compare =
    (name: string): Run =>
    async (signal) => {
      const read = () =>
        readIntegrations(name, { store: store.changes, service: integrationsOf(name), logger, now, signal });
      const changes = await unlessPaused(ctx, name, polling.pauseOf(name), "integrations couldn't be read", read);
      if (changes !== null && changes.length > 0) await wakeAnnouncing();
    };

  const announce: Run = async (signal) => {
    const announceOne = (environment: string) => announceFailures(environment, { store: store.alerting, logger, now });
    const { isRecording } = polling.polls;
    await announceAll({ ...shared, store: store.polling, isRecording, announce: announceOne, signal });
    await wake(DELIVER);
    // At the start the first is withheld until the first polls have been announced, and the next comes a poll interval later.
    if (!hasBeaten) await wake(HEARTBEAT);
  };

  const deliver = {
    nextAt: () => store.deliveries.nextDeliveryAt(now()),
    run: async (signal: AbortSignal) => {
      const unexpected = await deliverMessages({ store: store.deliveries, publisher, operators, logger, now, signal });
      if (unexpected > 0) throw new Error(`${unexpected} messages failed unexpectedly`);
      // NotifDeliveryStalled fires after five minutes without one, however far polls are apart.
      if (!signal.aborted) await store.deliveries.noteDelivered(now(), Math.min(pollMs, MINUTE_MS));
    },
  };

  const resume: Run = (signal) => {
    const unfinished = (newerThan: Date) => store.triggers.unfinishedIntents(newerThan);
    return resumeAbandoned({ ...parts.triggers, unfinished, logger, now, signal });
  };

  const summarise: Run = async (signal) => {
    if ((await writeSummaries(signal)) > 0) await wake(DELIVER);
  };

  const prune: Run = async (signal) => {
    const rows = await store.operation.prune(now(), daysKept, signal);
    logger.info({ rows, days: daysKept }, 'old rows deleted');
  };

  /** None if there is nobody to call. */
  const beat: Run[] =
    heartbeat === null
      ? []
      : [
          (signal) => {
            const onHeartbeat: HeartbeatParts['onHeartbeat'] = (outcome) => {
              hasBeaten ||= outcome === 'answered';
              heartbeat.onHeartbeat(outcome);
            };
            return sendHeartbeat({ ...shared, store: statusStore(store), call: heartbeat.call, onHeartbeat, signal });
          },
        ];

  return { poll, past, compare, announce, deliver, resume, summarise, prune, beat };
}
