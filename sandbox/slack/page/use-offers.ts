import { type KeyboardEvent, useState } from 'react';
import { type Offer, offerCommands, offerPeople } from './completion.ts';
import { useWorkspace } from './workspace.ts';

interface Offers {
  readonly offers: readonly Offer[];
  /** The index of the one that Tab and Enter choose. */
  readonly marked: number;
  /** Handles a key. Returns true if it was meant for the offers. */
  readonly takesKey: (event: KeyboardEvent) => boolean;
}

/** Offers completions of the composer's text: arrow keys mark one, Tab and Enter choose it, Escape dismisses all. */
export function useOffers(text: string, isInThread: boolean, onTake: (offer: Offer) => void): Offers {
  const { commands, people } = useWorkspace().snapshot;
  const [mark, setMark] = useState({ text: '', index: 0 });
  const [dismissed, setDismissed] = useState<string | null>(null);
  const all = [...(isInThread ? [] : offerCommands(text, commands)), ...offerPeople(text, people)];
  const offers = text === dismissed ? [] : all;
  const marked = mark.text === text ? mark.index : 0;
  const offer = offers[marked];

  const takesKey = ({ key, shiftKey }: KeyboardEvent) => {
    if (offer === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setMark({ text, index: (marked + step + offers.length) % offers.length });
    else if (key === 'Escape') setDismissed(text);
    else if (key === 'Tab' || (key === 'Enter' && !shiftKey && !offer.isTyped)) onTake(offer);
    else return false;
    return true;
  };
  return { offers, marked, takesKey };
}
