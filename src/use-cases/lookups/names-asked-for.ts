import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import { FAILURE_FILTERS, type FailureFilter, type FilterName } from '../../domain/failures/failure-filter.ts';
import { namingFilters, severalIn, type UnseenName, unseenNames } from '../../domain/failures/unseen-names.ts';
import { isAmong } from '../../domain/fold.ts';
import { parseAddresses } from '../../domain/input/addresses.ts';
import type { FilterMap } from '../../domain/input/filters.ts';
import { listEnd } from '../../domain/polling/clock.ts';
import { isContextKey } from '../../domain/service/context-key.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { type EventQuery, PAGE_SIZE } from '../../domain/service/query.ts';
import { MASK } from '../../domain/text/mask.ts';
import { type EventPages, subscribersWith } from '../subscribers-with.ts';

export interface NamesSeenStore {
  namesSeen(environment: string, of: FilterName): Promise<readonly string[]>;
}

export interface NamesAskedForParts {
  readonly environment: Environment;
  readonly service: EventPages;
  readonly store: NamesSeenStore;
  readonly now: () => Date;
}

/**
 * Returns the names in a filter that were never seen in an environment. For a mistyped name, "no failures" would say nothing about the one
 * that was meant. If something was found, only lists of several names can hide one. `listed` holds the workflow names just read. Other
 * names are stored with failures only, and IDs aren't looked for in the store, so Notif asks the service for an event of one, at most ten
 * times; if it doesn't answer, the name counts as seen.
 */
export async function namesNeverSeen(
  asked: FailureFilter,
  { isFound, listed = [] }: { readonly isFound: boolean; readonly listed?: readonly string[] },
  parts: NamesAskedForParts,
): Promise<readonly UnseenName[]> {
  const filter = isFound ? severalIn(asked) : asked;
  const seen: { [Name in FilterName]?: readonly string[] } = {};
  for (const name of namingFilters(filter)) {
    const stored = isOfIds(name) ? [] : await parts.store.namesSeen(parts.environment.name, name);
    seen[name] = name === 'workflows' ? [...stored, ...listed] : stored;
  }
  const unseen: UnseenName[] = [];
  for (const one of unseenNames(filter, seen).slice(0, MOST_NAMES)) {
    if (!(await hasEvent(one, parts))) unseen.push(one);
  }
  return unseen;
}

const MOST_NAMES = 10;

function isOfIds(filter: FilterName): boolean {
  return FAILURE_FILTERS[filter].values === 'IDs';
}

async function hasEvent({ filter, name }: UnseenName, parts: NamesAskedForParts): Promise<boolean> {
  // The service knows the whole ID, and only Notif the masked one that it shows others.
  if (name.includes(MASK) && isOfIds(filter)) return true;
  if (filter === 'tags') return hasAny({ limit: PAGE_SIZE }, parts, ({ tags }) => isAmong(tags, [name]));
  const query = queryFor(filter, name);
  return query !== null && hasAny({ ...query, limit: 1 }, parts);
}

/** Returns what to ask the service to find an event with a value; null where its list can't be asked, or what the store knows is enough. */
function queryFor(filter: FilterName, name: string): EventQuery | null {
  switch (filter) {
    case 'topics':
      return { topicKey: name };
    case 'contexts':
      // The service refuses any other, so no event has it.
      return isContextKey(name) ? { contextKeys: [name] } : null;
    case 'subscribers':
      return { subscriberIds: [name] };
    case 'transactions':
      return { transactionId: name };
    case 'workflows':
    case 'channels':
    case 'providers':
    case 'severities':
    case 'verdicts':
    case 'tags':
      return null;
  }
}

/** Failures are stored without addresses. Throws `InputError` for what isn't an address, and `ServiceError`. */
export async function withSubscribers(
  filters: FilterMap,
  { service, now }: Pick<NamesAskedForParts, 'service' | 'now'>,
): Promise<{ readonly filters: FilterMap; readonly missing: readonly string[] }> {
  const { email = [], subscriber = [] } = filters;
  const emails = parseAddresses(email);
  if (emails.length === 0) return { filters, missing: [] };
  const found = await Promise.all(emails.map((email) => subscribersWith(email, service, now())));
  const missing = emails.filter((_, index) => found[index]?.length === 0);
  return { filters: { ...filters, subscriber: [...subscriber, ...new Set(found.flat())] }, missing };
}

/** Returns whether the first page has an event like that; true too if that can't be known. */
async function hasAny(
  query: EventQuery,
  parts: NamesAskedForParts,
  isMeant: (event: TriggeredEvent) => boolean = () => true,
): Promise<boolean> {
  try {
    for await (const { items, unreadable } of pagesOf(query, parts))
      return items.some(isMeant) || unreadable.length > 0;
    return false;
  } catch (error) {
    if (error instanceof ServiceError) return true;
    throw error;
  }
}

function pagesOf(query: EventQuery, { service, now }: Pick<NamesAskedForParts, 'service' | 'now'>) {
  return service.eventPages({ ...query, before: listEnd(now(), service.clockAheadMs()) }, { who: 'person' });
}
