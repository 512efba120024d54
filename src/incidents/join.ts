import { addMilliseconds, compareAsc, max, min, subMilliseconds } from 'date-fns';
import { SAME_INCIDENT_MS } from './outbreak.ts';

/** What makes failures one incident, as hashes (`keyOf`). */
export interface Keys {
  /** Of the explained cause, or of the wording where nothing explains it. */
  key: string;
  /** Of the sentence and code. */
  wordingKey: string;
}

export interface Joinable {
  id: number;
  key: string;
  wordingKeys: readonly string[];
  isOpen: boolean;
  /** What it has failed elsewhere by now: its provider becomes known, or was named without a reason. */
  isMoved: boolean;
  firstAt: Date;
  lastAt: Date;
  /** Null: as long as an incident keeps its number. */
  joinableTo: Date | null;
}

export interface Joined<Item> {
  id: number;
  items: readonly Item[];
}

interface Span<Item> extends Omit<Joinable, 'id'> {
  /** Null: an incident that begins now. */
  id: number | null;
  items: Item[];
}

/** Each failure, earliest first, joins the incident of its wording, else of its key: an open one before one that keeps its number. */
export function join<Item extends Keys & { occurredAt: Date; from: number | null }>(
  items: readonly Item[],
  known: readonly Joinable[],
): { joined: readonly Joined<Item>[]; begun: readonly (readonly [Item, ...Item[]])[] } {
  const spans = known.map((incident): Span<Item> => ({ ...incident, items: [] }));
  for (const item of items.toSorted((a, b) => compareAsc(a.occurredAt, b.occurredAt))) {
    const { occurredAt: at } = item;
    const [span] = spans
      .filter((near) => isNear(at, near) && isOf(near, item))
      .sort((a, b) => rankOf(b, item) - rankOf(a, item) || (b.id ?? Infinity) - (a.id ?? Infinity));
    if (span === undefined) {
      spans.push({
        id: null,
        key: item.key,
        wordingKeys: [item.wordingKey],
        isOpen: true,
        isMoved: false,
        firstAt: at,
        lastAt: at,
        joinableTo: null,
        items: [item],
      });
      continue;
    }
    span.items.push(item);
    span.firstAt = min([span.firstAt, at]);
    span.lastAt = max([span.lastAt, at]);
    span.wordingKeys = [...new Set([...span.wordingKeys, item.wordingKey])];
  }
  return {
    joined: spans.flatMap(({ id, items }) => (id === null || items.length === 0 ? [] : [{ id, items }])),
    begun: spans.flatMap(({ id, items: [first, ...others] }) =>
      id === null && first !== undefined ? [[first, ...others] as const] : [],
    ),
  };
}

function isOf({ id, key, wordingKeys, isMoved }: Span<unknown>, item: Keys & { from: number | null }): boolean {
  return key === item.key || wordingKeys.includes(item.wordingKey) || (isMoved && id === item.from);
}

const rankOf = ({ isOpen, wordingKeys, isMoved }: Span<unknown>, { wordingKey }: Keys): number =>
  4 * Number(isOpen && !isMoved) + 2 * Number(wordingKeys.includes(wordingKey)) + Number(isOpen);

function isNear(at: Date, { firstAt, lastAt, joinableTo }: Omit<Span<unknown>, 'items'>): boolean {
  const from = subMilliseconds(firstAt, SAME_INCIDENT_MS);
  return (
    at > from && at < (joinableTo === null ? addMilliseconds(lastAt, SAME_INCIDENT_MS) : addMilliseconds(joinableTo, 1))
  );
}
