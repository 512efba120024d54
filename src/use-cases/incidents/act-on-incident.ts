import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { isOver, type Stale } from '../../domain/incidents/incident-actions.ts';
import type { Logger } from '../../domain/logger.ts';

export interface ActedOnStore {
  /** What somebody acts on, as it stands at `now`; null where the episode is no longer kept. */
  actedOn(subject: ActionTarget, now: Date): Promise<TargetNow | null>;
}

export interface ActParts<Store> {
  readonly store: Store;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Has the messages drawn again that show what was done, so that everybody sees it at once. */
  readonly wakeDelivery: () => Promise<void>;
}

/** What somebody wants to act on, as long as there is something to act on. */
export async function actable(
  subject: ActionTarget,
  { store, now }: Pick<ActParts<ActedOnStore>, 'store' | 'now'>,
): Promise<Stale | { readonly is: 'current'; readonly on: TargetNow }> {
  const on = await store.actedOn(subject, now());
  if (on === null) return { is: 'forgotten' };
  return isOver(on) ? { is: 'over', on } : { is: 'current', on };
}
