import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../digests/outbox.ts';
import type { EnvironmentHealth } from '../health/reading.ts';
import { sinceSuccessMs } from '../health/status.ts';
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
interface Shared {
  readonly health: readonly EnvironmentHealth[];
  readonly backlog: Backlog;
}

/** How long the numbers are reused: a scrape asks for each of them, and several scrapers can come at once. */
const KEPT_MS = 3_000;
/** Prometheus allows a scrape ten seconds. */
const TIMEOUT_MS = 5_000;

/** Measures at each scrape. A value that isn't known (null) is left out. */
export function measure(registry: Registry, sources: MetricSources): void {
  const { environments, loadOf, now, freeBytes, isSlackConnected } = sources;
  let kept: { readonly numbers: Promise<Shared | null>; readonly since: number } | null = null;
  const askShared = () => {
    const since = now().getTime();
    if (kept === null || !isStillKept(kept.since, KEPT_MS, since)) kept = { numbers: ask(sources), since };
    return kept.numbers;
  };

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

  function single(name: string, help: string, read: (shared: Shared | null) => number | null): void {
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

  function health(name: string, help: string, readMs: (found: EnvironmentHealth | undefined) => number | null): void {
    labelled(name, help, 'environment', environments, (key, shared) => {
      const ms = shared && readMs(shared.health.find(({ environment }) => environment === key));
      return ms === null ? null : ms / 1000;
    });
  }

  function waiting(name: string, help: string, key: 'oldest' | 'oldestHeldUp'): void {
    single(name, help, (shared) => shared && (now().getTime() - (shared.backlog[key] ?? now()).getTime()) / 1000);
  }

  health('notif_poll_age_seconds', 'Since the last poll that checked all new events began, or infinite', (found) =>
    sinceSuccessMs(found?.lastSuccessAt ?? null, now()),
  );
  const late = 'How late the passes over older events are';
  health('notif_past_behind_seconds', late, (found) => found?.behindMs ?? 0);
  const unchecked = 'Time in open gaps that is not checked yet';
  health('notif_gap_unchecked_seconds', unchecked, (found) => found?.uncheckedMs ?? 0);
  const ahead = "How far the service's clock is ahead of Notif's";
  health('notif_clock_ahead_seconds', ahead, (found) => found?.clockAheadMs ?? null);
  const left = "Requests left in the service's rate limit window, by its last answer within two minutes";
  labelled('notif_service_rate_limit_remaining', left, 'environment', environments, (name) => loadOf(name).remaining);
  const queued = 'Requests of people that are queued';
  labelled('notif_service_people_waiting', queued, 'environment', environments, (name) => loadOf(name).waitingPeople);
  const oldest = 'How long the oldest message that Slack has not taken yet has waited; 0 without one';
  waiting('notif_oldest_message_waiting_seconds', oldest, 'oldest');
  const heldUp = 'The same without those that wait for somebody to fix their channel';
  waiting('notif_oldest_message_held_up_seconds', heldUp, 'oldestHeldUp');
  const connected = '1 while Slack has an open socket, or the database has just answered';
  labelled('notif_connected', connected, 'to', ['slack', 'database'], (to, shared) =>
    Number(to === 'slack' ? isSlackConnected() : shared !== null),
  );
  single('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', freeBytes);
}

/** Null if the database doesn't answer in time. */
async function ask({ readShared, logger }: MetricSources): Promise<Shared | null> {
  const without = '/metrics goes without what replicas share';
  try {
    const answered = await Promise.race([readShared(), wait(TIMEOUT_MS, null, { ref: false })]);
    if (answered !== null) return answered;
    logger.warn({ waitedMs: TIMEOUT_MS }, `database does not answer: ${without}`);
  } catch (err) {
    // The store logs its own trouble.
    if (!(err instanceof StoreTroubleError)) logger.warn({ err }, `database can't be asked: ${without}`);
  }
  return null;
}
