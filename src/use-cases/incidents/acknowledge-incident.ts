import type { Acknowledgment } from '../../domain/incidents/episode.ts';
import type { Acknowledging, ActionTarget, Unacknowledging } from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AcknowledgingStore extends ActedOnStore {
  /**
   * Acknowledges an episode unless somebody already has (`isFirst`). The messages that show it are redrawn. Null if it is no longer kept.
   */
  acknowledge(
    target: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly acknowledged: Acknowledgment } | null>;
  /** Removes an acknowledgment; `acknowledged` is null if there was none, and `unacknowledged` says who removed the last one. */
  unacknowledge(
    target: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly acknowledged: Acknowledgment | null; readonly unacknowledged: Acknowledgment | null } | null>;
}

/** Records that somebody is working on a group: in every watch, mentions stop for this episode. `by` is a Slack user ID. */
export async function acknowledgeIncident(
  target: ActionTarget,
  by: string,
  parts: ActParts<AcknowledgingStore>,
): Promise<Acknowledging> {
  const current = await actable(target, parts);
  if (current.is !== 'current') return current;
  const noted = await parts.store.acknowledge(target, by, parts.now());
  if (noted === null) return { is: 'forgotten' };
  if (!noted.isFirst) return { is: 'already', acknowledged: noted.acknowledged };
  parts.logger.info({ by, ...target, group: current.target.episode.tally.group.key }, 'incident acknowledged');
  await parts.wakeDelivery();
  return { is: 'done', acknowledged: noted.acknowledged };
}

/** Removes an acknowledgment; anybody can, no matter who acknowledged. */
export async function unacknowledgeIncident(
  target: ActionTarget,
  by: string,
  parts: ActParts<AcknowledgingStore>,
): Promise<Unacknowledging> {
  const current = await actable(target, parts);
  if (current.is !== 'current') return current;
  const noted = await parts.store.unacknowledge(target, by, parts.now());
  if (noted === null) return { is: 'forgotten' };
  if (noted.acknowledged === null) return { is: 'already', unacknowledged: noted.unacknowledged };
  parts.logger.info({ by, ...target, group: current.target.episode.tally.group.key }, 'incident unacknowledged');
  await parts.wakeDelivery();
  return { is: 'done', acknowledged: noted.acknowledged, on: current.target };
}
