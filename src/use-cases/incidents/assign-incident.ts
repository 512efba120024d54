import type { Assignment } from '../../domain/incidents/episode.ts';
import type { ActionTarget, Assigning } from '../../domain/incidents/incident-actions.ts';
import { type ActedOnStore, type ActParts, actable } from './act-on-incident.ts';

export interface AssigningStore extends ActedOnStore {
  /** `isNew` is false if that person has it already. Null if the episode isn't kept. */
  assign(
    target: ActionTarget,
    assignment: Assignment,
  ): Promise<{ readonly isNew: boolean; readonly assigned: Assignment; readonly before: Assignment | null } | null>;
}

export async function assignIncident(
  target: ActionTarget,
  { to, by }: Pick<Assignment, 'to' | 'by'>,
  parts: ActParts<AssigningStore>,
): Promise<Assigning> {
  const current = await actable(target, parts);
  if (current.is !== 'current') return current;
  const noted = await parts.store.assign(target, { to, by, at: parts.now() });
  if (noted === null) return { is: 'forgotten' };
  const { isNew, assigned, before } = noted;
  if (!isNew) return { is: 'already', assigned };
  parts.logger.info({ by, to, ...target, group: current.target.episode.tally.group.key }, 'incident assigned');
  await parts.wakeDelivery();
  return { is: 'done', on: current.target, assigned, before };
}
