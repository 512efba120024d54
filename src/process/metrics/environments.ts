import { Gauge, type Registry } from 'prom-client';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import { sinceSuccessMs } from '../../domain/health/status.ts';
import type { AskShared, MetricSources } from './sources.ts';

interface Measure<Source> {
  readonly name: string;
  readonly help: string;
  readonly read: (source: Source, now: Date) => number | null;
}

/** Measures across all replicas. An environment that was never polled is infinitely old. */
const READING: readonly Measure<EnvironmentHealth | null>[] = [
  {
    name: 'notif_poll_age_seconds',
    help: 'Time since the start of the last poll that checked all new events',
    read: (health, now) => sinceSuccessMs(health?.lastSuccessAt ?? null, now) / 1000,
  },
  {
    name: 'notif_announce_age_seconds',
    help: 'Time since alerts were last written',
    read: (health, now) => sinceSuccessMs(health?.announcedAt ?? null, now) / 1000,
  },
  {
    name: 'notif_check_lag_seconds',
    help: 'Age of the newest moment up to which events are checked',
    read: (health, now) => secondsSince(health?.checkedTo ?? null, now),
  },
  {
    name: 'notif_failing_seconds',
    help: 'How long every poll has failed; 0 while polls succeed',
    read: (health, now) => (health?.failingSince ? secondsSince(health.failingSince, now) : 0),
  },
  {
    name: 'notif_past_behind_seconds',
    help: 'How late the passes over older events are',
    read: (health) => inSeconds(health?.behindMs ?? 0),
  },
  { name: 'notif_open_gaps', help: 'Gaps that are still open', read: (health) => health?.openGaps ?? 0 },
  {
    name: 'notif_gap_unchecked_seconds',
    help: 'Time in open gaps that is not checked yet',
    read: (health) => inSeconds(health?.uncheckedMs ?? 0),
  },
  {
    name: 'notif_clock_ahead_seconds',
    help: "How far the service's clock is ahead of Notif's",
    read: (health) => inSeconds(health?.clockAheadMs ?? null),
  },
];

const LOAD: readonly Measure<RequestLoad>[] = [
  {
    name: 'notif_service_rate_limit_remaining',
    help: "Requests left in the service's rate limit window, by its last answer within two minutes",
    read: ({ remaining }) => remaining,
  },
  {
    name: 'notif_service_people_waiting',
    help: 'Requests of people that are queued',
    read: ({ waitingPeople }) => waitingPeople,
  },
  { name: 'notif_service_requests_running', help: 'Requests in flight', read: ({ running }) => running },
];

export function measureEnvironments(registry: Registry, sources: MetricSources, askShared: AskShared): void {
  for (const measure of READING) {
    environmentGauge(registry, measure, sources, async () => {
      const shared = await askShared();
      if (shared === null) return [];
      return sources.environments.map((name) => {
        return [name, shared.health.find(({ environment }) => environment === name) ?? null] as const;
      });
    });
  }
  for (const measure of LOAD) {
    environmentGauge(registry, measure, sources, async () =>
      sources.environments.map((name) => [name, sources.loadOf(name)] as const),
    );
  }
}

function environmentGauge<Source>(
  registry: Registry,
  { name, help, read }: Measure<Source>,
  { now }: MetricSources,
  ask: () => Promise<readonly (readonly [environment: string, source: Source])[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      const known = await ask();
      this.reset();
      for (const [environment, source] of known) {
        const value = read(source, now());
        if (value !== null) this.set({ environment }, value);
      }
    },
  });
}

function secondsSince(time: Date | null, now: Date): number {
  return time === null ? Number.POSITIVE_INFINITY : (now.getTime() - time.getTime()) / 1000;
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
