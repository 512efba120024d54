import type { Acknowledgment } from '../../domain/incidents/episode.ts';
import type {
  Acknowledging,
  ActionTarget,
  NotUnacknowledged,
  Unacknowledging,
  Unacknowledgment,
} from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AcknowledgingStore extends ActedOnStore {
  /** Acknowledges an episode unless somebody already has (`isFirst`); messages that show it are redrawn. Null if it's no longer kept. */
  acknowledge(
    target: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly acknowledged: Acknowledgment } | null>;
  /** Removes a person's acknowledgment and returns it, or why it isn't there to remove. Null if the episode is no longer kept. */
  unacknowledge(
    target: ActionTarget,
    unacknowledgment: Unacknowledgment,
    now: Date,
  ): Promise<{ readonly is: 'done'; readonly acknowledged: Acknowledgment } | NotUnacknowledged | null>;
}

/** Records that somebody is working on an incident: in every watch, mentions stop for this episode. `by` is a Slack user ID. */
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

/** Removes an acknowledgment; anybody can, no matter who acknowledged. One that another person made meanwhile stays. */
export async function unacknowledgeIncident(
  target: ActionTarget,
  { of, by }: Unacknowledgment,
  parts: ActParts<AcknowledgingStore>,
): Promise<Unacknowledging> {
  const current = await actable(target, parts);
  if (current.is !== 'current') return current;
  const noted = await parts.store.unacknowledge(target, { of, by }, parts.now());
  if (noted === null) return { is: 'forgotten' };
  if (noted.is !== 'done') return noted;
  parts.logger.info({ by, ...target, group: current.target.episode.tally.group.key }, 'incident unacknowledged');
  await parts.wakeDelivery();
  return { ...noted, on: current.target };
}
