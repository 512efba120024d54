import { allUnseenNames, type UnseenName } from '../incidents/unseen-names.ts';
import { type FailureFilter, storableId } from '../judging/filter.ts';
import { MASK } from '../lib/text/mask.ts';
import { type EventQuery, PERSON } from '../service/query.ts';
import { orServiceError, ServiceError } from '../service/service-error.ts';
import type { EmailMatch } from '../service/subscribers-by-contact.ts';
import type { Db } from '../store/db.ts';
import type { ResolveCtx } from './resolve-settings.ts';

/**
 * Names of a watch that neither a failure nor, as far as it can be asked, an event of the service has: it may never fire. What is masked can't be asked
 * about, and is left to whoever typed it.
 */
export async function neverSeen(
  ctx: ResolveCtx & { db: Db },
  filter: FailureFilter,
  addresses: readonly EmailMatch[],
): Promise<UnseenName[]> {
  const named = await allUnseenNames(ctx.db, filter, ctx.environments);
  const unseen = named.filter(({ name }) => !name.includes(MASK));
  const found = addresses.flatMap(({ subscriberIds }) => subscriberIds.map(storableId));
  const isKnown = await Promise.all(
    unseen.map(async (each) => found.some((id) => id === each.name) || (await hasEvents(ctx, each))),
  );
  return unseen.filter((_, index) => !isKnown[index]);
}

async function hasEvents({ environments, serviceOf }: ResolveCtx, unseen: UnseenName): Promise<boolean> {
  const query = queryFor(unseen);
  if (query === null) return false;
  const pages = await Promise.all(
    environments.map(({ name }) => orServiceError(serviceOf(name).listEvents({ ...query, limit: 1 }, PERSON))),
  );
  return pages.some((page) => !(page instanceof ServiceError) && page.items.length > 0);
}

function queryFor({ kind, name }: UnseenName): EventQuery | null {
  switch (kind) {
    case 'topics':
      return { topicKey: name };
    case 'contexts':
      return { contextKeys: [name] };
    case 'subscribers':
      return { subscriberIds: [name] };
    default:
      return null;
  }
}
