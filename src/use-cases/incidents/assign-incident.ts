import type { Assignment } from '../../domain/incidents/episode.ts';
import type { ActionTarget, Assigning } from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AssigningStore extends ActedOnStore {
  /** Assigns an episode's incident, no matter who had it before. The messages that show it are to be drawn again. Null where it is not kept. */
  assign(subject: ActionTarget, assignment: Assignment): Promise<Assignment | null>;
}

/** Says who takes care of an incident. Both are Slack user ids. */
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
