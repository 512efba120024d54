import { useState } from 'react';
import type { Tab } from '../page-protocol.ts';

/** The person and the conversation, stored in the page's URL, so that a reload or a link shows the same. */
export interface Address {
  readonly as: string;
  readonly conversation: string | null;
  readonly tab: Tab;
}

/** Ann of the seed, an operator, so that everything can be tried; also acted as if the URL names nobody. */
export const firstPerson = 'U0ANN';

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const tab = parameters.get('tab') === 'home' ? 'home' : 'messages';
  return { as: parameters.get('as') ?? firstPerson, conversation: parameters.get('in'), tab };
}

export function writeAddress({ as, conversation, tab }: Address): string {
  const place = { ...(conversation !== null && { in: conversation }), ...(tab === 'home' && { tab }) };
  return `?${new URLSearchParams({ as, ...place })}`;
}

/** Returns the page's address and a function to change it. */
export function useAddress(): readonly [Address, (next: Address) => void] {
  const [address, setAddress] = useState(() => readAddress(window.location.search));
  const move = (next: Address) => {
    window.history.replaceState(null, '', writeAddress(next));
    setAddress(next);
  };
  return [address, move];
}
