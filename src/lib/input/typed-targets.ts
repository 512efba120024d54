import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import { MASK } from '../text/mask.ts';
import { parseAddresses } from './email-addresses.ts';
import { type CommandText, exampleOf, type FilterKey, refuseOthers } from './filters.ts';
import { distinctTargets, eventIdOrTransaction, type Recognized, recognize } from './ids.ts';

const ID_FILTERS = ['subscriber', 'email', 'tx', 'env'] as const satisfies readonly FilterKey[];

export function typedTargets({ words, filters }: CommandText, environments: readonly Environment[]): Recognized[] {
  const { subscriber = [], email = [], tx = [] } = filters;
  const named = (kind: 'subscriber' | 'email') => (id: string) => ({ target: { kind, id }, environment: null });
  const targets = distinctTargets([
    ...recognize(words.join(' '), environments),
    ...tx.map((id) => eventIdOrTransaction(id, environments)),
    ...subscriber.map(named('subscriber')),
    ...parseAddresses(email).map(named('email')),
  ]);
  const example = `/notif events ${exampleOf('email')} ${exampleOf('workflow')}`;
  if (targets.length > 0) refuseOthers(filters, ID_FILTERS, '/notif', example);
  return targets;
}

/** People copy masked contacts from messages. */
export function refuseMasked(text: string): void {
  if (!text.includes(MASK)) return;
  const hasWholeId = recognize(text, []).some(({ target }) => !target.id.includes(MASK));
  if (hasWholeId) return;
  throw new InputError('event', `This ID is masked (${MASK}). Paste the full ID.`, '/notif event txn_8f2c91');
}
