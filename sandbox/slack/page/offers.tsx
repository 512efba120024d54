import type { ReactNode } from 'react';
import type { Offer } from './completion.ts';

interface OffersProps {
  readonly listId: string;
  readonly offers: readonly Offer[];
  readonly onChoose: (offer: Offer) => void;
}

/** What the text in the composer could become. */
export function Offers({ listId, offers, onChoose }: OffersProps): ReactNode {
  return (
    <ul id={listId} className="offers" aria-label="Suggestions">
      {offers.map((offer) => (
        <li key={offer.name}>
          <button type="button" onClick={() => onChoose(offer)}>
            <strong>{offer.name}</strong> {offer.usage}
            {offer.description !== '' && <small>{offer.description}</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
