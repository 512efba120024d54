import { addMilliseconds, compareAsc, max, min, subMilliseconds } from 'date-fns';
import type { Keys } from './keys.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';

/** An incident that failures may join. */
export interface Joinable {
  id: number;
  key: string;
  wordingKeys: readonly string[];
  isOpen: boolean;
  /** Its failures turn out to be elsewhere: their provider becomes known, or was named without a reason. */
  isMoved: boolean;
  firstAt: Date;
  lastAt: Date;
  /** Failures up to this time join it; null: those for which it keeps its number. */
  joinableTo: Date | null;
}

interface Joining extends Keys {
  occurredAt: Date;
  /** The incident that counted it until now. */
  from: number | null;
}

interface AllJoined<Item> {
  /** Which items join each incident. */
  joined: readonly { id: number; items: readonly Item[] }[];
  /** The items of each incident that begins. */
  begun: readonly (readonly [Item, ...Item[]])[];
}

/** An incident with what joined it by now. */
interface Span<Item> extends Omit<Joinable, 'id'> {
  /** Null: an incident that begins now. */
  id: number | null;
  items: Item[];
}

/** Each failure, earliest first, joins the incident of its wording, else of its key: an open one before one that keeps its number. */
export function join<Item extends Joining>(items: readonly Item[], known: readonly Joinable[]): AllJoined<Item> {
  const spans = known.map((incident): Span<Item> => ({ ...incident, items: [] }));
  for (const item of items.toSorted((a, b) => compareAsc(a.occurredAt, b.occurredAt))) {
    const { occurredAt: at } = item;
    const [span] = spans
      .filter((each) => isNear(at, each) && isOf(each, item))
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

function isOf({ id, key, wordingKeys, isMoved }: Span<unknown>, item: Joining): boolean {
  return key === item.key || wordingKeys.includes(item.wordingKey) || (isMoved && id === item.from);
}

/** An open incident comes first, unless its failures move to another provider; then the wording decides, then again what is open. */
const rankOf = ({ isOpen, wordingKeys, isMoved }: Span<unknown>, { wordingKey }: Keys): number =>
  4 * Number(isOpen && !isMoved) + 2 * Number(wordingKeys.includes(wordingKey)) + Number(isOpen);

function isNear(at: Date, { firstAt, lastAt, joinableTo }: Omit<Span<unknown>, 'items'>): boolean {
  const isAfter = at > subMilliseconds(firstAt, SAME_INCIDENT_MS);
  return isAfter && (joinableTo === null ? at < addMilliseconds(lastAt, SAME_INCIDENT_MS) : at <= joinableTo);
}
