import type { Acknowledgment } from '../../domain/incidents/episode.ts';
import type { Acknowledging, ActionTarget, Unacknowledging } from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AcknowledgingStore extends ActedOnStore {
  /**
   * Acknowledges an episode unless somebody has: `isFirst`. The messages that show it are to be drawn again. Null where it is no
   * longer kept.
   */
  acknowledge(
    subject: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly acknowledged: Acknowledgment } | null>;
  /** Takes an acknowledgment back; `acknowledged` is null where there was none, and `unacknowledged` says who took the last one back. */
  unacknowledge(
    subject: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly acknowledged: Acknowledgment | null; readonly unacknowledged: Acknowledgment | null } | null>;
}

/** Says that somebody is at it: in every watch mentions stop for this episode. `by` is a Slack user id. */
export async function acknowledgeGroup(
  subject: ActionTarget,
  by: string,
  parts: ActParts<AcknowledgingStore>,
): Promise<Acknowledging> {
  const subjectNow = await actable(subject, parts);
  if (subjectNow.is !== 'current') return subjectNow;
  const noted = await parts.store.acknowledge(subject, by, parts.now());
  if (noted === null) return { is: 'forgotten' };
  if (!noted.isFirst) return { is: 'already', acknowledged: noted.acknowledged };
  parts.logger.info({ by, ...subject, group: subjectNow.on.episode.tally.group.key }, 'group acknowledged');
  await parts.wakeDelivery();
  return { is: 'done', acknowledged: noted.acknowledged };
}

/** Says that nobody is at it after all; anybody may, no matter who has acknowledged it. */
export async function unacknowledgeGroup(
  subject: ActionTarget,
  by: string,
  parts: ActParts<AcknowledgingStore>,
): Promise<Unacknowledging> {
  const subjectNow = await actable(subject, parts);
  if (subjectNow.is !== 'current') return subjectNow;
  const noted = await parts.store.unacknowledge(subject, by, parts.now());
  if (noted === null) return { is: 'forgotten' };
  if (noted.acknowledged === null) return { is: 'already', unacknowledged: noted.unacknowledged };
  parts.logger.info({ by, ...subject, group: subjectNow.on.episode.tally.group.key }, 'acknowledgment taken back');
  await parts.wakeDelivery();
  return { is: 'done', acknowledged: noted.acknowledged, on: subjectNow.on };
}
