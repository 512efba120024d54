import { min, subMilliseconds } from 'date-fns';
import { and, desc, gte, inArray, isNull, or } from 'drizzle-orm';
import { CLASSES_WITH_OUTBREAKS, verdictClassOf } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Db } from '../store/db.ts';
import type { Joinable } from './join.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';
import type { Addition } from './record.ts';
import { type IncidentRow, incidents, type OutbreakRow, outbreaks, type WordingRow, wordings } from './tables.ts';
import { wordingsIn } from './wordings.ts';

/** An incident that may be joined. */
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
  const isNear = and(
    or(inArray(incidents.key, keys), inArray(incidents.id, withWording), inArray(incidents.id, origins)),
    gte(incidents.lastAt, subMilliseconds(earliest, SAME_INCIDENT_MS)),
  );
  const rows = await tx.select().from(incidents).where(isNear).orderBy(incidents.id).for('no key update');
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
