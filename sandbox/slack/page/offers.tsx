import type { ReactNode } from 'react';
import type { Offer } from './completion.ts';

interface OffersProps {
  readonly listId: string;
  readonly offers: readonly Offer[];
  readonly marked: number;
  readonly onChoose: (offer: Offer) => void;
}

/** What the text in the composer could become. The composer keeps the focus, and says which one is marked. */
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

/** The id of an offer's element, for the composer to point at. */
export function offerId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
