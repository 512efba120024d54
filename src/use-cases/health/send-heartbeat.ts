import type { Backlog } from '../../domain/health/backlog.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import { type HeartbeatAnswer, heartbeatBlockers } from '../../domain/health/heartbeat.ts';
import type { Logger } from '../../domain/logger.ts';

export interface HeartbeatStore {
  health(now: Date): Promise<readonly EnvironmentHealth[]>;
  backlog(): Promise<Backlog>;
  lastDeliveryAt(): Promise<Date | null>;
}

export interface HeartbeatParts {
  readonly store: HeartbeatStore;
  /** Calls the dead man's switch. Never rejects. */
  readonly call: (signal: AbortSignal) => Promise<HeartbeatAnswer>;
  /** The names of all environments that must be polled. */
  readonly environments: readonly string[];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onHeartbeat: (outcome: HeartbeatOutcome) => void;
}

export type HeartbeatOutcome = 'answered' | 'failed' | 'withheld';

/** Calls the dead man's switch if polling, announcing and delivery each succeeded lately; it raises an alarm when the calls stop. */
export async function sendHeartbeat(parts: HeartbeatParts): Promise<void> {
  parts.onHeartbeat(await heartbeat(parts));
}

async function heartbeat(parts: HeartbeatParts): Promise<HeartbeatOutcome> {
  const { store, environments, pollMs, logger, now, signal } = parts;
  const [health, backlog, lastDeliveryAt] = await Promise.all([
    store.health(now()),
    store.backlog(),
    store.lastDeliveryAt(),
  ]);
  const blockers = heartbeatBlockers({ health, backlog, lastDeliveryAt }, environments, pollMs, now());
  if (blockers.length > 0) {
    logger.warn({ blockers }, "heartbeat withheld: events aren't checked or alerts not sent");
    return 'withheld';
  }
  const answer = await parts.call(signal);
  if (answer.kind === 'answered' && answer.status < 400) return 'answered';
  logger.warn({ ...answer }, 'heartbeat could not be sent: check NOTIF_HEARTBEAT_URL, and the network');
  return 'failed';
}
