import type { Backlog } from '../../domain/health/backlog.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import { type HeartbeatAnswer, heartbeatBlockers } from '../../domain/health/heartbeat.ts';
import {
  answerWords,
  blockerWords,
  type HeartbeatOutcome,
  type LastHeartbeat,
} from '../../domain/health/heartbeat-report.ts';
import type { Logger } from '../../domain/logger.ts';

export interface HeartbeatStore {
  health(now: Date): Promise<readonly EnvironmentHealth[]>;
  backlog(): Promise<Backlog>;
  lastDeliveryAt(): Promise<Date | null>;
  noteHeartbeat(last: LastHeartbeat): Promise<void>;
}

export interface HeartbeatParts {
  readonly store: HeartbeatStore;
  /** Calls the dead man's switch. Never rejects. */
  readonly call: (signal: AbortSignal) => Promise<HeartbeatAnswer>;
  readonly environments: readonly string[];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onHeartbeat: (outcome: HeartbeatOutcome) => void;
}

/** The switch raises an alarm when the calls stop. A call that is cut off because Notif stops isn't noted. */
export async function sendHeartbeat(parts: HeartbeatParts): Promise<void> {
  const { outcome, why } = await heartbeat(parts);
  parts.onHeartbeat(outcome);
  if (!parts.signal.aborted) await parts.store.noteHeartbeat({ outcome, why, at: parts.now() });
}

async function heartbeat(parts: HeartbeatParts): Promise<Omit<LastHeartbeat, 'at'>> {
  const { store, environments, pollMs, logger, now, signal } = parts;
  const [health, backlog, lastDeliveryAt] = await Promise.all([
    store.health(now()),
    store.backlog(),
    store.lastDeliveryAt(),
  ]);
  const blockers = heartbeatBlockers({ health, backlog, lastDeliveryAt }, environments, pollMs, now());
  if (blockers.length > 0) {
    logger.warn({ blockers }, "heartbeat withheld: events aren't checked or alerts not sent");
    return { outcome: 'withheld', why: blockerWords(blockers) };
  }
  const answer = await parts.call(signal);
  if (answer.kind === 'answered' && answer.status < 400) return { outcome: 'answered', why: null };
  logger.warn({ ...answer }, 'heartbeat could not be sent: check NOTIF_HEARTBEAT_URL, and the network');
  return { outcome: 'failed', why: answerWords(answer) };
}
