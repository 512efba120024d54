import type { Backlog } from './backlog.ts';
import type { EnvironmentHealth } from './health.ts';
import { isAnnouncedInTime, isDeliveredInTime, isReadInTime } from './status.ts';

export type HeartbeatAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'timed-out' }
  /** `code` is the system's; null if it gave none. */
  | { readonly kind: 'unreachable'; readonly code: string | null };

/** Why no heartbeat is sent: Notif may miss a failure or not report one, so somebody has to be alerted by other means. */
export type HeartbeatBlocker =
  | { readonly why: 'not-read'; readonly environment: string; readonly lastSuccessAt: Date | null }
  | { readonly why: 'unreadable'; readonly environment: string; readonly events: number }
  | { readonly why: 'not-announced'; readonly environment: string; readonly lastSuccessAt: Date | null }
  | { readonly why: 'not-delivered'; readonly lastSuccessAt: Date | null }
  | { readonly why: 'not-alerted'; readonly waitingSince: Date };

/** So many events that can't be read, and none that can, no longer are odd events: the service answers otherwise than it did. */
const UNREADABLE_ALONE = 10;

/** Slack's own hiccups are shorter. */
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Returns everything that blocks the heartbeat: an environment that was not polled, or whose alerts were not written, within two poll
 * intervals and a minute; one whose new events can't be read, none of them; no successful delivery run for five minutes, or two poll
 * intervals if that is longer; messages held up for more than five minutes.
 */
export function heartbeatBlockers(
  state: {
    readonly health: readonly EnvironmentHealth[];
    readonly backlog: Backlog;
    readonly lastDeliveryAt: Date | null;
  },
  environments: readonly string[],
  pollMs: number,
  now: Date,
): HeartbeatBlocker[] {
  const read = environments.map((environment) => ({
    environment,
    health: state.health.find((one) => one.environment === environment) ?? null,
  }));
  return [
    ...read.flatMap((one) => unchecked(one, pollMs, now)),
    ...read.flatMap(unreadable),
    ...read.flatMap((one) => unannounced(one, pollMs, now)),
    ...undelivered(state.lastDeliveryAt, pollMs, now),
    ...unsentBlockers(state.backlog, now),
  ];
}

/** `health`: null if it was never read. */
interface Read {
  readonly environment: string;
  readonly health: EnvironmentHealth | null;
}

function unchecked({ environment, health }: Read, pollMs: number, now: Date): HeartbeatBlocker[] {
  const lastSuccessAt = health?.lastSuccessAt ?? null;
  return isReadInTime(lastSuccessAt, pollMs, now) ? [] : [{ why: 'not-read', environment, lastSuccessAt }];
}

function unreadable({ environment, health }: Read): HeartbeatBlocker[] {
  const events = health?.unreadableAlone ?? 0;
  return events < UNREADABLE_ALONE ? [] : [{ why: 'unreadable', environment, events }];
}

function unannounced({ environment, health }: Read, pollMs: number, now: Date): HeartbeatBlocker[] {
  const lastSuccessAt = health?.announcedAt ?? null;
  return isAnnouncedInTime(lastSuccessAt, pollMs, now) ? [] : [{ why: 'not-announced', environment, lastSuccessAt }];
}

function undelivered(lastSuccessAt: Date | null, pollMs: number, now: Date): HeartbeatBlocker[] {
  return isDeliveredInTime(lastSuccessAt, pollMs, now) ? [] : [{ why: 'not-delivered', lastSuccessAt }];
}

function unsentBlockers({ oldestHeldUp }: Backlog, now: Date): HeartbeatBlocker[] {
  if (oldestHeldUp === null || now.getTime() - oldestHeldUp.getTime() <= LONGEST_WAIT_MS) return [];
  return [{ why: 'not-alerted', waitingSince: oldestHeldUp }];
}
