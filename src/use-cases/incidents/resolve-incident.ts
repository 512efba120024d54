import type { ActionTarget, Resolving } from '../../domain/incidents/incident-actions.ts';
import type { ActParts } from './act-on-incident.ts';

export interface ResolvingStore {
  /**
   * Resolves the incident of an episode, in its newest one, unless it is already resolved. If so, `isFirst` is false and `by` says who
   * resolved it; null: it recovered by itself. The messages that show it are redrawn. Null if it is no longer kept.
   */
  resolve(
    subject: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly by: string | null } | null>;
}

/** Marks an incident as over; later failures are a relapse. `by` is a Slack user ID. */
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
