import { isSameMinute, max, min } from 'date-fns';
import { and, eq, isNull } from 'drizzle-orm';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { nextVersion } from '../coverage/environment-lock.ts';
import { CLASSES_WITH_OUTBREAKS, verdictClassOf } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { inPieces } from '../lib/pauses.ts';
import { boundedId, maybeBoundedId } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import { beginIncident, beginOutbreak, type NewIncident } from './begin.ts';
import { countAdded, countAgain, countRemoved } from './count.ts';
import { withoutErased } from './erase.ts';
import { addFailures, deleteFailures, ROWS_A_TURN, storedFailures, updateFailures } from './failure-rows.ts';
import { type NewFailureRow, newFailureRows } from './failure-values.ts';
import { renewVersions, updateIncident, updateOutbreak, withOutbreaks } from './incident-rows.ts';
import { join, joinable, joinableIncidents, type KnownIncident, takesIncidentAlong } from './join.ts';
import { explainedAs, explanationBy, keysOf, wordingKeyOf } from './keys.ts';
import { continueEmptied } from './merge.ts';
import { type Placement, placeFailures } from './outbreak.ts';
import { type AddedFailure, type EventReading, type Reconciled, reconcile, type UpdatedFailure } from './reconcile.ts';
import { incidents, outbreaks } from './tables.ts';
import { type Happening, noteHappenings } from './timeline.ts';
import { explain, firstOfWordings, noteWordings, type Worded, wordingIdsOf } from './wordings.ts';

/** What decides how readings are recorded. */
export interface Recording {
  now: Date;
  /** How far the service's clock is ahead of ours; null: its answers don't say. */
  clockAheadMs: number | null;
  explainCause: ExplainCause;
}

/** A failure that is to be added, with what decides which incident and outbreak it joins. */
export interface Addition extends AddedFailure, Worded {
  occurredAt: Date;
}

/** The environment's failures become what the readings say. Needs a lock on the environment. */
export async function recordReadings(
  tx: Db,
  environment: string,
  readings: readonly EventReading[],
  recording: Recording,
): Promise<Reconciled> {
  const eventKeys = readings.map(({ eventKey }) => eventKey);
  const stored = await storedFailures(tx, environment, eventKeys);
  const storable = await withoutErased(tx, readings, recording.now);
  const changes = reconcile(storable, stored, (failure) => wordingKeyOf(environment, failure));
  const { added, updated, removed } = changes;
  // Incidents count failures by these columns.
  const rejudged = updated.filter(({ values }) => 'verdict' in values || 'critical' in values || 'severity' in values);
  if (removed.length > 0) {
    await countRemoved(tx, removed);
    await deleteFailures(tx, removed);
  }
  await updateFailures(tx, updated);
  await noteWordings(tx, environment, updated, recording);
  await noteCritical(tx, updated, recording.now);
  if (removed.length + rejudged.length > 0)
    await countAgain(tx, [...removed, ...rejudged.map(({ row }) => row)], recording.now);
  if (added.length > 0) await recordAdded(tx, environment, added, recording);
  const isSeen = ({ values, isReworded }: UpdatedFailure) => isReworded || Object.keys(values).length > 0;
  const changed = [...removed, ...updated.filter(isSeen).map(({ row }) => row)];
  await renewVersions(
    tx,
    environment,
    changed.map(({ incidentId }) => incidentId),
  );
  return changes;
}

/** Details that come later can say that a workflow is critical. */
async function noteCritical(tx: Db, updated: readonly UpdatedFailure[], now: Date): Promise<void> {
  const critical = updated.filter(
    ({ row, values }) => values.critical && CLASSES_WITH_OUTBREAKS.includes(row.verdictClass),
  );
  for (const [incidentId, [first]] of groupBy(critical, ({ row }) => row.incidentId)) {
    if (first === undefined) continue;
    const isNew = and(eq(incidents.id, incidentId), isNull(outbreaks.criticalSince), isNull(outbreaks.endedAt));
    const [current] = await withOutbreaks(tx, isNew);
    if (current === undefined || first.row.occurredAt < (current.outbreak.coversFrom ?? 0)) continue;
    const occurrence = { action: 'critical', workflow: maybeBoundedId(first.row.workflow) } as const;
    await noteHappenings(tx, [{ incident: current.incident, outbreak: current.outbreak.number, occurrence }], now);
  }
}

/** Each failure joins an incident, by its wording or its key, and one of its outbreaks, or begins one. */
async function recordAdded(
  tx: Db,
  environment: string,
  added: readonly AddedFailure[],
  recording: Recording,
): Promise<void> {
  const additions = added.map((each) => additionOf(environment, each, recording));
  const known = await joinableIncidents(tx, additions);
  const { joined, begun } = join(
    additions,
    known.map((incident) => joinable(incident, additions)),
  );
  const rows: NewFailureRow[] = [];
  const byId = new Map(known.map((incident) => [incident.id, incident]));
  for (const { id, items } of joined) {
    const incident = byId.get(id);
    if (incident !== undefined) rows.push(...(await joinIncident(tx, incident, items, recording)));
  }
  for (const items of begun) rows.push(...(await beginFailing(tx, environment, items, recording)));
  const version = await nextVersion(tx, environment);
  for await (const piece of inPieces(rows, ROWS_A_TURN))
    await countAdded(tx, await addFailures(tx, piece), version, recording.now);
  await continueEmptied(tx, additions, rows, recording);
}

function additionOf(environment: string, added: AddedFailure, { now, explainCause }: Recording): Addition {
  const { failure } = added;
  const explanation = explanationBy(explainCause, failure);
  const occurredAt = min([now, failure.occurredAt ?? failure.eventCreatedAt ?? now]);
  return { ...added, ...keysOf(environment, failure, explanation), explanation, occurredAt, cause: failure.cause };
}

/** Its failures are of its newest outbreak, of one that ended, or begin the next (`placeFailures`). */
async function joinIncident(
  tx: Db,
  incident: KnownIncident,
  items: readonly Addition[],
  recording: Recording,
): Promise<NewFailureRow[]> {
  const { now } = recording;
  const { id, state } = incident;
  await followProvider(tx, incident, items);
  const isTracked = CLASSES_WITH_OUTBREAKS.includes(incident.verdictClass);
  // One that is only counted is resolved from its beginning, and its failures are of one outbreak for good.
  const { placed, begun, failsAgainAt } = placeFailures(isTracked ? state : 'firing', incident.outbreaks, items);
  for (const outbreak of begun) await beginOutbreak(tx, incident, outbreak, now);
  const newest = begun.at(-1)?.number ?? incident.outbreak;
  if (isTracked && (failsAgainAt !== null || begun.length > 0))
    await updateIncident(tx, id, { state: 'firing', stateAt: now, outbreak: newest });
  if (failsAgainAt !== null) await updateOutbreak(tx, { incidentId: id, number: newest }, { firesSince: failsAgainAt });
  if (isTracked) await noteHappenings(tx, happeningsIn(incident, placed, { begun, failsAgainAt }), now);
  const wordingIds = await wordingIdsOf(tx, incident, items, now);
  for (const item of firstOfWordings(items)) await explain(tx, { ...incident, outbreak: newest }, item, recording);
  return newFailureRows(
    placed.map(({ item }) => item),
    incident,
    { wordingIds, now },
  );
}

/** An incident whose failures turn out to be another provider's is that provider's. */
async function followProvider(tx: Db, incident: KnownIncident, items: readonly Addition[]): Promise<void> {
  const { id, provider } = incident;
  const moved = items.find((item) => takesIncidentAlong(incident, item));
  if (moved !== undefined && moved.failure.provider !== provider)
    await updateIncident(tx, id, { provider: maybeBoundedId(moved.failure.provider) });
}

/** What the timeline says of failures that joined an incident. */
function happeningsIn(
  incident: KnownIncident,
  placed: Placement<Addition>['placed'],
  { begun, failsAgainAt }: Omit<Placement<Addition>, 'placed'>,
): readonly Happening[] {
  const happenings: Happening[] = [];
  for (const [outbreak, here] of groupBy(placed, (each) => each.outbreak)) {
    const items = here.map(({ item }) => item);
    const failedAt = min(items.map(({ occurredAt }) => occurredAt));
    const critical = items.find(({ failure }) => failure.critical);
    const before = incident.outbreaks.find(({ number }) => number === outbreak);
    const note = (occurrence: Happening['occurrence']) => happenings.push({ incident, outbreak, occurrence });
    if (begun.some(({ number }) => number === outbreak)) {
      const workflow = maybeBoundedId((critical ?? items[0])?.failure.workflow ?? null);
      note({ action: 'back', failedAt, workflow, critical: critical !== undefined });
    }
    // The rest is told of an outbreak that was known before.
    if (before === undefined) continue;
    if (outbreak === incident.outbreak && failsAgainAt !== null)
      note({ action: 'failing-again', failedAt: failsAgainAt, isBrief: false });
    // A beginning is told by the minute.
    const isEarlier = failedAt < before.firstFailedAt && !isSameMinute(failedAt, before.beganAt);
    if (before.isPublished && isEarlier) note({ action: 'began-earlier', failedAt });
    const isOpen = before.endedAt === null;
    if (critical !== undefined && before.criticalSince === null && isOpen)
      note({ action: 'critical', workflow: maybeBoundedId(critical.failure.workflow) });
  }
  return happenings;
}

/** The first of `items` is the earliest. */
async function beginFailing(
  tx: Db,
  environment: string,
  items: readonly [Addition, ...Addition[]],
  recording: Recording,
): Promise<NewFailureRow[]> {
  const { now } = recording;
  const [first] = items;
  const { failure, key, explanation, occurredAt: beganAt } = first;
  const { channel, provider, cause, isTest, workflow } = failure;
  const explained = explainedAs(explanation);
  const verdictClass = verdictClassOf(failure.verdict);
  const isTracked = CLASSES_WITH_OUTBREAKS.includes(verdictClass);
  const begun: NewIncident = {
    key,
    environment,
    channel: boundedId(channel),
    provider: maybeBoundedId(provider),
    verdictClass,
    isTest,
    causeText: cause.text,
    causeKey: cause.key,
    ...explained,
    isRecipientFault: explained.isRecipientFault || items.every((item) => item.failure.verdict === 'complained'),
    state: isTracked ? 'firing' : 'resolved',
  };
  const lastAt = max(items.map(({ occurredAt }) => occurredAt));
  const incident = await beginIncident(tx, begun, { beganAt, lastAt }, now);
  const critical = items.some((item) => item.failure.critical);
  const occurrence = { action: 'began', failedAt: beganAt, workflow: maybeBoundedId(workflow), critical } as const;
  if (isTracked) await noteHappenings(tx, [{ incident, outbreak: 1, occurrence }], now);
  return newFailureRows(items, incident, { wordingIds: await wordingIdsOf(tx, incident, items, now), now });
}
