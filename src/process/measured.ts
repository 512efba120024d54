import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../health/backlog.ts';
import type { EnvironmentHealth } from '../health/health.ts';
import type { RequestLoad } from '../health/request-load.ts';
import { sinceSuccessMs } from '../health/situation.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';
import { isStillKept } from '../lib/time/still-kept.ts';

export interface MetricSources {
  readonly environments: readonly string[];
  readonly store: {
    health(now: Date): Promise<readonly EnvironmentHealth[]>;
    backlog(): Promise<Backlog>;
  };
  readonly freeBytes: () => number | null;
  readonly loadOf: (environment: string) => RequestLoad;
  readonly isSlackConnected: () => boolean;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** What all replicas share. */
interface Shared {
  readonly health: readonly EnvironmentHealth[];
  readonly backlog: Backlog;
}

/** Measures at each scrape. A value that isn't known is left out. */
export function measure(registry: Registry, sources: MetricSources): void {
  const { environments, loadOf, now, freeBytes, isSlackConnected } = sources;
  const askShared = sharedBy(sources);

  function gauge(name: string, help: string, read: (shared: Shared | null) => number | null): void {
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const value = read(await askShared());
        // A gauge that was never set shows 0, which would be wrong.
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }

  function labelled(
    name: string,
    help: string,
    label: string,
    keys: readonly string[],
    read: (key: string, shared: Shared | null) => number | null,
  ): void {
    new Gauge({
      ...{ name, help, labelNames: [label], registers: [registry] },
      async collect() {
        const shared = await askShared();
        this.reset();
        for (const key of keys) {
          const value = read(key, shared);
          if (value !== null) this.set({ [label]: key }, value);
        }
      },
    });
  }

  /** Of each environment in the database: nothing while that doesn't answer. */
  const health = (name: string, help: string, read: (found: EnvironmentHealth | undefined) => number | null) =>
    labelled(name, help, 'environment', environments, (key, shared) =>
      shared === null ? null : read(shared.health.find(({ environment }) => environment === key)),
    );
  const load = (name: string, help: string, key: 'remaining' | 'waitingPeople') =>
    labelled(name, help, 'environment', environments, (environment) => loadOf(environment)[key]);
  const waiting = (name: string, help: string, key: 'oldest' | 'oldestHeldUp') =>
    gauge(name, help, (shared) => shared && (now().getTime() - (shared.backlog[key] ?? now()).getTime()) / 1000);

  const pollHelp = 'Since the start of the last poll that checked all new events, or infinite';
  health('notif_poll_age_seconds', pollHelp, (found) => sinceSuccessMs(found?.lastSuccessAt ?? null, now()) / 1000);
  const behindHelp = 'How late the passes over older events are';
  health('notif_past_behind_seconds', behindHelp, (found) => (found?.behindMs ?? 0) / 1000);
  const gapHelp = 'Time in open gaps that is not checked yet';
  health('notif_gap_unchecked_seconds', gapHelp, (found) => (found?.uncheckedMs ?? 0) / 1000);
  const clockHelp = "How far the service's clock is ahead of Notif's";
  health('notif_clock_ahead_seconds', clockHelp, (found) => secondsOf(found?.clockAheadMs ?? null));
  const remainingHelp = "Requests left in the service's rate limit window, by its last answer within two minutes";
  load('notif_service_rate_limit_remaining', remainingHelp, 'remaining');
  load('notif_service_people_waiting', 'Requests of people that are queued', 'waitingPeople');
  const oldestHelp = 'How long the oldest message that Slack has not taken yet has waited; 0 without one';
  waiting('notif_oldest_message_waiting_seconds', oldestHelp, 'oldest');
  const heldUpHelp = 'The same without those that wait for somebody to fix their channel';
  waiting('notif_oldest_message_held_up_seconds', heldUpHelp, 'oldestHeldUp');
  const connectedHelp = '1 while Slack has an open socket, or the database has just answered';
  labelled('notif_connected', connectedHelp, 'to', ['slack', 'database'], (to, shared) =>
    Number(to === 'slack' ? isSlackConnected() : shared !== null),
  );
  gauge('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', freeBytes);
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
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
async function ask({ store, now, logger }: MetricSources): Promise<Shared | null> {
  const without = '/metrics goes without what replicas share';
  try {
    const asked = Promise.all([store.health(now()), store.backlog()]);
    const answered = await Promise.race([asked, wait(TIMEOUT_MS, null, { ref: false })]);
    if (answered !== null) return { health: answered[0], backlog: answered[1] };
    logger.warn({ waitedMs: TIMEOUT_MS }, `database does not answer: ${without}`);
  } catch (err) {
    if (err instanceof StoreTroubleError) logger.debug({ trouble: err.trouble }, `database can't be asked: ${without}`);
    else logger.warn({ err }, `database can't be asked: ${without}`);
  }
  return null;
}
