import { setTimeout as wait } from 'node:timers/promises';
import type { BuiltBot } from '../built-bot.ts';
import { sumOf } from '../prometheus.ts';
import type { Work } from './calculation.ts';
import type { Poll } from './lateness.ts';
import type { RunningBots } from './running-bots.ts';

const MINUTE_MS = 60_000;

/** What was measured under a load, in a minute. */
export interface Load extends Work {
  readonly cpuSeconds: number;
  readonly requests: number;
  /** Requests for late failures. */
  readonly checks: number;
  readonly newEvents: number;
}

/** Measures the load of all bots together for so long, and returns the polls meanwhile. */
export async function loadDuring(
  ms: number,
  { bots, tenancy, service, slack }: RunningBots,
): Promise<{ readonly load: Load; readonly polls: readonly Poll[] }> {
  const messages = () => slack.calls.of('chat.postMessage').length + slack.calls.of('chat.update').length;
  await service.counted();
  const [before, messagesBefore] = [await readings(bots), messages()];
  await wait(ms);
  const counted = await service.counted();
  const after = await readings(bots);
  const aMinute = (value: number) => (value * MINUTE_MS) / (after.at - before.at);
  const load = {
    processes: bots.length,
    environments: tenancy.environments,
    cpuSeconds: aMinute(after.cpuSeconds - before.cpuSeconds),
    requests: aMinute(counted.requests),
    checks: aMinute(counted.checks),
    newEvents: aMinute(after.newEvents - before.newEvents),
    polledEvents: aMinute(counted.events - counted.checkedEvents),
    checkedEvents: aMinute(counted.checkedEvents),
    failures: aMinute(after.failures - before.failures),
    messages: aMinute(messages() - messagesBefore),
  };
  return { load, polls: counted.polls };
}

async function readings(bots: readonly BuiltBot[]) {
  const metrics = await Promise.all(bots.map((bot) => bot.metrics()));
  const sum = (name: string) => metrics.reduce((all, text) => all + sumOf(text, name), 0);
  return {
    at: performance.now(),
    cpuSeconds: sum('process_cpu_seconds_total'),
    newEvents: sum('notif_events_checked_total'),
    failures: sum('notif_failures_recorded_total'),
  };
}
