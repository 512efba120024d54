import { addMilliseconds, compareAsc, max, min, subMilliseconds } from 'date-fns';
import { and, desc, gte, inArray, isNull, or } from 'drizzle-orm';
import { CLASSES_WITH_OUTBREAKS, verdictClassOf } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Db } from '../store/db.ts';
import type { Keys } from './keys.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';
import type { Addition } from './record.ts';
import { type IncidentRow, incidents, type OutbreakRow, outbreaks, type WordingRow, wordings } from './tables.ts';
import { wordingsIn } from './wordings.ts';

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

/** One that may be joined, as it is stored. */
export interface KnownIncident extends IncidentRow {
  wordings: readonly WordingRow[];
  /** Newest first. */
  outbreaks: readonly OutbreakRow[];
}

/** The incidents that additions may join, locked, so that what people do meanwhile waits. */
export async function joinableIncidents(tx: Db, additions: readonly Addition[]): Promise<readonly KnownIncident[]> {
  const wordingKeys = [...new Set(additions.map(({ wordingKey }) => wordingKey))];
  const keys = [...new Set(additions.map(({ key }) => key))];
  const earliest = min(additions.map(({ occurredAt }) => occurredAt));
  const withWording = tx.select({ id: wordings.incidentId }).from(wordings).where(inArray(wordings.key, wordingKeys));
  const origins = additions.flatMap(({ from }) => from ?? []);
  const mayBeJoined = and(
    or(inArray(incidents.key, keys), inArray(incidents.id, withWording), inArray(incidents.id, origins)),
    gte(incidents.lastAt, subMilliseconds(earliest, SAME_INCIDENT_MS)),
  );
  const rows = await tx.select().from(incidents).where(mayBeJoined).orderBy(incidents.id).for('no key update');
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const isLater = or(isNull(outbreaks.coversTo), gte(outbreaks.coversTo, earliest));
  const isIn = and(inArray(outbreaks.incidentId, ids), isLater);
  const ranges = groupBy(
    await tx.select().from(outbreaks).where(isIn).orderBy(desc(outbreaks.number)),
    ({ incidentId }) => incidentId,
  );
  const worded = groupBy(await wordingsIn(tx, ids), ({ incidentId }) => incidentId);
  return rows.map((row) => ({ ...row, outbreaks: ranges.get(row.id) ?? [], wordings: worded.get(row.id) ?? [] }));
}

/** An incident moves to another provider with all failures that it had of none, or with those that named one without a reason. */
export function joinable(incident: KnownIncident, additions: readonly Addition[]): Joinable {
  const { id, key, state, firstAt, lastAt, isRecipientFault, verdictClass, provider, continuedAs } = incident;
  const isOnlyCounted = !CLASSES_WITH_OUTBREAKS.includes(verdictClass);
  // Nothing ends an incident that is only counted.
  const isOpen = state !== 'resolved' || isOnlyCounted;
  const wordingKeys = incident.wordings.map((wording) => wording.key);
  // One that went on as another, or a recipient's trouble that is over, gets only what failed by then: what returns is a new incident.
  const joinableTo = continuedAs !== null || (isRecipientFault && !isOpen) ? lastAt : null;
  const takesAlong = additions.some((item) => takesIncidentAlong(incident, item));
  // One of no provider keeps that for as long as it has failures.
  const isEmptied = incident.outbreaks[0]?.failures === 0;
  const isMoved = isOpen && takesAlong && (provider !== null || isEmptied);
  return { id, key, wordingKeys, isOpen, isMoved, firstAt, lastAt, joinableTo };
}

/** Whether the failure was the incident's, which named no provider, or named one that its failures don't name any more. */
export const takesIncidentAlong = (incident: KnownIncident, item: Addition): boolean =>
  item.from === incident.id && (incident.provider === null || isUnplaced(incident, item));

/** Notif once recorded a step's provider with words that blame none: the same words now come without it. */
const isUnplaced = (incident: KnownIncident, { failure: { provider, verdict }, cause }: Addition): boolean =>
  provider === null &&
  verdictClassOf(verdict) === incident.verdictClass &&
  incident.wordings.some((wording) => wording.causeKey === cause.key);
