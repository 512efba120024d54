import type { ReactNode } from 'react';
import type { Offer } from './completion.ts';

interface OffersProps {
  readonly listId: string;
  readonly offers: readonly Offer[];
  readonly marked: number;
  readonly onChoose: (offer: Offer) => void;
}

/** Shows the possible completions of the composer's text. The composer keeps the focus and knows which one is marked. */
export function Offers({ listId, offers, marked, onChoose }: OffersProps): ReactNode {
  return (
    <div id={listId} className="offers" role="listbox" aria-label="Suggestions" tabIndex={-1}>
      {offers.map((offer, index) => (
        <button
          key={offer.name}
          type="button"
          role="option"
          id={offerId(listId, index)}
          aria-selected={index === marked}
          tabIndex={-1}
          onClick={() => onChoose(offer)}
        >
          <strong>{offer.name}</strong> {offer.usage}
          {offer.description !== '' && <small>{offer.description}</small>}
        </button>
      ))}
    </div>
  );
}

/** Returns the ID of an offer's element, which the composer refers to. */
export function offerId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
