import type { ActionTarget, Resolving } from '../../domain/incidents/incident-actions.ts';
import type { ActedOnStore, ActParts } from './act-on-incident.ts';

export interface ResolvingStore extends ActedOnStore {
  /**
   * If it was resolved before, `isFirst` is false and `by` says who did it; null: it recovered by itself. 'came-back' if it is of another
   * outage by now, which stays as it is. Null if it is no longer kept.
   */
  resolve(
    target: ActionTarget,
    by: string,
    now: Date,
  ): Promise<{ readonly isFirst: boolean; readonly by: string | null } | 'came-back' | null>;
}

/** Marks an incident as over; later failures are a relapse. A row from before it came back resolves nothing. `by` is a Slack user ID. */
export async function resolveIncident(
  target: ActionTarget,
  by: string,
  { store, logger, now, wakeDelivery }: ActParts<ResolvingStore>,
): Promise<Resolving> {
  const noted = await store.resolve(target, by, now());
  if (noted === null) return { is: 'forgotten' };
  if (noted === 'came-back') {
    const on = await store.actedOn(target, now());
    return on === null ? { is: 'forgotten' } : { is: 'over', on };
  }
  if (!noted.isFirst) return { is: 'already', by: noted.by };
  logger.info({ by, ...target }, 'incident resolved');
  await wakeDelivery();
  return { is: 'done' };
}
