import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { isOver, type Stale } from '../../domain/incidents/incident-actions.ts';
import type { Logger } from '../../domain/logger.ts';

export interface ActedOnStore {
  actedOn(target: ActionTarget, now: Date): Promise<TargetNow | null>;
}

export interface ActParts<Store> {
  readonly store: Store;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly wakeDelivery: () => Promise<void>;
}

export async function actable(
  target: ActionTarget,
  { store, now }: Pick<ActParts<ActedOnStore>, 'store' | 'now'>,
): Promise<Stale | { readonly is: 'current'; readonly target: TargetNow }> {
  const on = await store.actedOn(target, now());
  if (on === null) return { is: 'forgotten' };
  return isOver(on) ? { is: 'over', on } : { is: 'current', target: on };
}
