import type { ActionTarget, Resolving } from '../../domain/incidents/incident-actions.ts';
import type { ActParts } from './act-on-incident.ts';

export interface ResolvingStore {
  /**
   * Resolves the incident of an episode, in its newest one, unless it is resolved: `isFirst`, or `by` whom it was before, null: it had
   * recovered. The messages that show it are to be drawn again. Null where it is no longer kept.
   */
  resolve(
    subject: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly by: string | null } | null>;
}

/** Says that an incident is over. What fails afterwards is a relapse. `by` is a Slack user id. */
export async function resolveIncident(
  subject: ActionTarget,
  by: string,
  { store, logger, now, wakeDelivery }: ActParts<ResolvingStore>,
): Promise<Resolving> {
  const noted = await store.resolve(subject, by, now());
  if (noted === null) return { is: 'forgotten' };
  if (!noted.isFirst) return { is: 'already', by: noted.by };
  logger.info({ by, ...subject }, 'incident resolved');
  await wakeDelivery();
  return { is: 'done' };
}
