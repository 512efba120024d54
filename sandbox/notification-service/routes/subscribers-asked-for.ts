import type { Subscriber } from '../entities.ts';
import type { World } from '../world.ts';

interface Sought {
  subscriberIds?: string[] | undefined;
  emails?: string[] | undefined;
  search?: string | undefined;
}

/**
 * Returns the IDs of subscribers that match any of the event list's three ways to search for people. `search` is a part of an email
 * address, in any case, or a whole subscriber ID. Undefined if none of the three is given.
 */
export function peopleSought(
  world: World,
  { subscriberIds = [], emails = [], search = '' }: Sought,
): string[] | undefined {
  if (subscriberIds.length === 0 && emails.length === 0 && search === '') return undefined;
  const known = subscriberIds.filter((id) => world.subscribers.has(id));
  if (emails.length === 0 && search === '') return known;
  const isSought = ({ subscriberId, email }: Subscriber) =>
    (email !== null && emails.includes(email)) || (search !== '' && isFoundBy(search, subscriberId, email));
  const found = [...world.subscribers.values()].filter(isSought);
  return [...known, ...found.map(({ subscriberId }) => subscriberId)];
}

function isFoundBy(search: string, subscriberId: string, email: string | null): boolean {
  return subscriberId === search || (email?.toLowerCase().includes(search.toLowerCase()) ?? false);
}
