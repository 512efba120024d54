import type { Assignment } from '../../domain/incidents/episode.ts';
import type { ActionTarget, Assigning } from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AssigningStore extends ActedOnStore {
  /** Assigns an episode's incident, overwriting any earlier assignment. The messages that show it are redrawn. Null if it isn't kept. */
  assign(subject: ActionTarget, assignment: Assignment): Promise<Assignment | null>;
}

/** Assigns an incident to somebody. Both are Slack user IDs. */
export async function assignIncident(
  subject: ActionTarget,
  { to, by }: Pick<Assignment, 'to' | 'by'>,
  parts: ActParts<AssigningStore>,
): Promise<Assigning> {
  const subjectNow = await actable(subject, parts);
  if (subjectNow.is !== 'current') return subjectNow;
  const assigned = await parts.store.assign(subject, { to, by, at: parts.now() });
  if (assigned === null) return { is: 'forgotten' };
  parts.logger.info({ by, to, ...subject, group: subjectNow.on.episode.tally.group.key }, 'incident assigned');
  await parts.wakeDelivery();
  return { is: 'done', on: subjectNow.on, assigned };
}
