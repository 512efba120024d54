import { setTimeout as wait } from 'node:timers/promises';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { boundOf, bucketsOf, sampleOf } from '../prometheus.ts';
import { type Lateness, latenessOf, type Poll } from './lateness.ts';
import { type Load, loadDuring } from './load.ts';
import { type BotsPlan, POLL_SECONDS, type RunningBots, withBots } from './running-bots.ts';

const POLL_MS = POLL_SECONDS * 1_000;
const TYPE_EVERY_MS = 500;
const ANSWERED_WITHIN_MS = 5_000;
/** Until a surge has begun for each environment. */
const SETTLE_MS = 10_000;

export interface OneProcessPlan extends Omit<BotsPlan, 'processes'> {
  readonly surge: { readonly environments: number; readonly eventsAMinute: number };
  /** How long each of the two loads is measured. */
  readonly measuredMs: number;
}

export interface OneProcess {
  readonly usual: Load;
  readonly surge: Load;
  readonly lateness: Lateness;
  readonly acknowledgedMs: number;
  readonly acknowledgements: number;
  readonly residentBytes: number;
  /** From the start of the process until each environment had been polled. */
  readonly firstPollsSeconds: number;
}

/** One process on the embedded database: first at a usual load, then with a surge in some environments, while somebody types commands. */
export function measureOneProcess({ surge, measuredMs, ...usual }: OneProcessPlan): Promise<OneProcess> {
  return withBots({ ...usual, processes: 1 }, {}, (running) => underLoads(running, surge, measuredMs));
}

async function underLoads(
  running: RunningBots,
  surging: OneProcessPlan['surge'],
  measuredMs: number,
): Promise<OneProcess> {
  const { bots, service, slack, firstPollsSeconds } = running;
  const stopTyping = typing(slack);
  const usual = await loadDuring(measuredMs, running);
  service.send({ surge: { at: Date.now(), ...surging } });
  await wait(SETTLE_MS);
  const between: readonly Poll[] = (await service.counted()).polls;
  const surge = await loadDuring(measuredMs, running);
  await stopTyping();
  const [metrics = ''] = await Promise.all(bots.map((bot) => bot.metrics()));
  const acknowledged = bucketsOf(metrics, 'notif_slack_acknowledgment_seconds');
  return {
    usual: usual.load,
    surge: surge.load,
    lateness: latenessOf([...usual.polls, ...between, ...surge.polls], POLL_MS),
    acknowledgedMs: boundOf(acknowledged, 0.99) * 1_000,
    acknowledgements: acknowledged.get(Number.POSITIVE_INFINITY) ?? 0,
    residentBytes: sampleOf(metrics, 'process_resident_memory_bytes'),
    firstPollsSeconds,
  };
}

/** Has somebody type a command every so often until the returned function is called. */
function typing(slack: LocalSlack): () => Promise<void> {
  const stopped = new AbortController();
  const ann = slack.workspace.as('U0ANN');
  const typed: Promise<unknown>[] = [];
  const loop = async () => {
    while (!stopped.signal.aborted) {
      typed.push(ann.types('C0ONCALL', '/notif help'));
      await wait(TYPE_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
    await Promise.race([Promise.all(typed), wait(ANSWERED_WITHIN_MS)]);
  };
  const ended = loop();
  return () => {
    stopped.abort();
    return ended;
  };
}
