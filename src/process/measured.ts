import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { EnvironmentHealth } from '../health/reading.ts';
import { type Backlog, sinceSuccessMs } from '../health/status.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { isStillKept } from '../lib/time/waiting.ts';
import type { RequestLoad } from '../service/limits.ts';

export interface MetricSources {
  readonly environments: readonly string[];
  readonly readShared: () => Promise<Shared>;
  readonly freeBytes: () => number | null;
  readonly loadOf: (environment: string) => RequestLoad;
  readonly isSlackConnected: () => boolean;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** What all replicas share. */
export interface Shared {
  readonly health: readonly EnvironmentHealth[];
  readonly backlog: Backlog;
}

/** A value for each label; what isn't known is left out. */
type Values = readonly (readonly [label: string, value: number | null])[];

/** Measures at each scrape. */
export function measure(registry: Registry, sources: MetricSources): void {
  const { environments, loadOf, now, freeBytes, isSlackConnected } = sources;
  const askShared = sharedBy(sources);
  const registers = [registry];

  function labelled(name: string, help: string, label: string, values: () => Promise<Values> | Values): void {
    new Gauge({
      ...{ name, help, labelNames: [label], registers },
      async collect() {
        const known = await values();
        this.reset();
        for (const [key, value] of known) if (value !== null) this.set({ [label]: key }, value);
      },
    });
  }

  function single(name: string, help: string, value: () => Promise<number | null> | number | null): void {
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        const known = await value();
        // A gauge that was never set shows 0, which would be wrong.
        if (known === null) this.remove();
        else this.set(known);
      },
    });
  }

  function reading(name: string, numberOf: (health: EnvironmentHealth | null) => number | null, help: string): void {
    labelled(name, help, 'environment', async () => {
      const shared = await askShared();
      const healthOf = (each: string) => shared?.health.find(({ environment }) => environment === each) ?? null;
      return shared === null ? [] : environments.map((environment) => [environment, numberOf(healthOf(environment))]);
    });
  }

  function load(name: string, numberOf: (load: RequestLoad) => number | null, help: string): void {
    labelled(name, help, 'environment', () => environments.map((each) => [each, numberOf(loadOf(each))]));
  }

  function waiting(name: string, sinceOf: (backlog: Backlog) => Date | null, help: string): void {
    single(name, help, async () => {
      const shared = await askShared();
      return shared && (now().getTime() - (sinceOf(shared.backlog) ?? now()).getTime()) / 1000;
    });
  }

  const age = (health: EnvironmentHealth | null) => sinceSuccessMs(health?.lastSuccessAt ?? null, now()) / 1000;
  reading('notif_poll_age_seconds', age, 'Since the start of the last poll that checked all new events, or infinite');
  const behind = (health: EnvironmentHealth | null) => (health?.behindMs ?? 0) / 1000;
  reading('notif_past_behind_seconds', behind, 'How late the passes over older events are');
  const gaps = (health: EnvironmentHealth | null) => (health?.uncheckedMs ?? 0) / 1000;
  reading('notif_gap_unchecked_seconds', gaps, 'Time in open gaps that is not checked yet');
  const ahead = (health: EnvironmentHealth | null) => {
    const ms = health?.clockAheadMs ?? null;
    return ms === null ? null : ms / 1000;
  };
  reading('notif_clock_ahead_seconds', ahead, "How far the service's clock is ahead of Notif's");
  const left = "Requests left in the service's rate limit window, by its last answer within two minutes";
  load('notif_service_rate_limit_remaining', ({ remaining }) => remaining, left);
  load('notif_service_people_waiting', ({ waitingPeople }) => waitingPeople, 'Requests of people that are queued');
  const oldest = 'How long the oldest message that Slack has not taken yet has waited; 0 without one';
  waiting('notif_oldest_message_waiting_seconds', ({ oldest: since }) => since, oldest);
  const heldUp = 'The same without those that wait for somebody to fix their channel';
  waiting('notif_oldest_message_held_up_seconds', ({ oldestHeldUp }) => oldestHeldUp, heldUp);
  labelled('notif_connected', '1 while Slack has an open socket, or the database has just answered', 'to', async () => [
    ['slack', Number(isSlackConnected())],
    ['database', Number((await askShared()) !== null)],
  ]);
  single('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', freeBytes);
}

/** How long the numbers are reused: a scrape asks for each of them, and several scrapers can come at once. */
const KEPT_MS = 3_000;
/** Prometheus allows a scrape ten seconds. */
const TIMEOUT_MS = 5_000;

function sharedBy(sources: MetricSources): () => Promise<Shared | null> {
  let kept: { readonly numbers: Promise<Shared | null>; readonly since: number } | null = null;
  return () => {
    const now = sources.now().getTime();
    if (kept === null || !isStillKept(kept.since, KEPT_MS, now)) kept = { numbers: ask(sources), since: now };
    return kept.numbers;
  };
}

/** Null if the database doesn't answer in time. */
async function ask({ readShared, logger }: MetricSources): Promise<Shared | null> {
  const without = '/metrics goes without what replicas share';
  try {
    const answered = await Promise.race([readShared(), wait(TIMEOUT_MS, null, { ref: false })]);
    if (answered !== null) return answered;
    logger.warn({ waitedMs: TIMEOUT_MS }, `database does not answer: ${without}`);
  } catch (err) {
    if (err instanceof StoreTroubleError) logger.debug({ trouble: err.trouble }, `database can't be asked: ${without}`);
    else logger.warn({ err }, `database can't be asked: ${without}`);
  }
  return null;
}
