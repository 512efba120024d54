import { setImmediate } from 'node:timers/promises';
import { subMilliseconds } from 'date-fns';
import { and, desc, eq, gte, lt, ne, or } from 'drizzle-orm';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { maskedCause } from '../judging/cause.ts';
import { groupBy } from '../lib/group-by.ts';
import { type Storable, storableEcho, storableText } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import type { StoredTexts } from '../store/masked-texts.ts';
import { updateIncident } from './incident-rows.ts';
import { explainedAs, explanationBy, judgedAs, keysOf, wordingKeyOf } from './keys.ts';
import { SAME_INCIDENT_MS } from './outbreak.ts';
import { type IncidentRow, incidents, type WordingRow, wordings } from './tables.ts';
import { wordingsIn } from './wordings.ts';

/** So many incidents are masked before others have their turn at the store. */
const MOST_ROWS = 500;

/** Causes that were stored by a version that masked less. */
export const storedCauses: StoredTexts = {
  name: 'causes',
  async maskBelow(db, id) {
    const isBelow = id === null ? undefined : lt(incidents.id, Number(id));
    const known = await db
      .select()
      .from(incidents)
      .where(and(isBelow, eq(incidents.kind, 'failures')))
      .orderBy(desc(incidents.id))
      .limit(MOST_ROWS);
    await maskCauses(db, known);
    return known.length < MOST_ROWS ? null : `${known.at(-1)?.id}`;
  },
};

/** Returns the incidents as they are stored now: a new failure has the key of its cause as it is masked. */
async function maskCauses(db: Db, known: readonly IncidentRow[]): Promise<IncidentRow[]> {
  const ids = known.map(({ id }) => id);
  const worded = groupBy(await wordingsIn(db, ids), ({ incidentId }) => incidentId);
  const masked: IncidentRow[] = [];
  for (const incident of known) {
    // Masking a thousand texts takes a tenth of a second.
    await setImmediate();
    for (const wording of worded.get(incident.id) ?? []) await maskWording(db, incident, wording);
    masked.push(await maskIncident(db, incident));
  }
  return masked;
}

async function maskIncident(db: Db, incident: IncidentRow): Promise<IncidentRow> {
  const changes = maskedRow(incident, incident);
  if (changes === null) return incident;
  // An explained cause has a key of its own, whatever its sentence is.
  const masked = incident.headline === null ? changes : { ...changes, key: incident.key };
  await db.update(incidents).set(masked).where(eq(incidents.id, incident.id));
  return { ...incident, ...masked };
}

/** Where only a name told two wordings apart, they have one text then, and the second keeps its former key: an incident's are unique. */
async function maskWording(db: Db, incident: IncidentRow, wording: WordingRow): Promise<void> {
  const changes = maskedRow(incident, wording);
  if (changes === null) return;
  const isSame = and(eq(wordings.incidentId, incident.id), eq(wordings.key, changes.key));
  const isTaken = (await db.$count(wordings, isSame)) > 0;
  await db
    .update(wordings)
    .set(isTaken ? { ...changes, key: wording.key } : changes)
    .where(eq(wordings.id, wording.id));
}

interface MaskedRow {
  causeText: Storable;
  causeKey: Storable;
  key: string;
}

/** Returns null if this version masks no more of it. */
function maskedRow(
  incident: IncidentRow,
  { causeText: text, causeKey: key }: Pick<IncidentRow, 'causeText' | 'causeKey'>,
): MaskedRow | null {
  const cause = maskedCause({ text, key });
  if (cause.text === text && cause.key === key) return null;
  return {
    causeText: storableEcho(cause.text),
    causeKey: storableText(cause.key),
    key: wordingKeyOf(incident.environment, { ...judgedAs(incident), cause }),
  };
}

/**
 * Gives incidents that can still be joined the keys of what this version's catalog says of their cause, as this version masks it. Nothing moves:
 * number, people and what was told stay, and open ones that share a key now stay apart.
 */
export async function explainAgain(db: Db, explainCause: ExplainCause, now: Date): Promise<void> {
  const isJoinable = or(ne(incidents.state, 'resolved'), gte(incidents.lastAt, subMilliseconds(now, SAME_INCIDENT_MS)));
  const isToExplain = and(eq(incidents.kind, 'failures'), isJoinable);
  const known = await db.select().from(incidents).where(isToExplain);
  for (const incident of await maskCauses(db, known)) {
    const { id, key, environment, channel, provider, causeText, causeKey } = incident;
    const cause = { text: causeText, key: causeKey };
    const explanation = explanationBy(explainCause, { channel, provider, cause });
    const keys = keysOf(environment, { ...judgedAs(incident), cause }, explanation);
    if (keys.key !== key) await updateIncident(db, id, { key: keys.key, ...explainedAs(explanation) });
  }
}
