import { addMilliseconds } from 'date-fns';
import { and, eq, lt } from 'drizzle-orm';
import { lockEnvironment } from '../coverage/environment-lock.ts';
import type { Db } from '../store/db.ts';
import { placeOf, recentAttempts, type Share } from './attempts.ts';
import { type Badness, badnessOf, isWorse, worseOf } from './badness.ts';
import { type OpenIncident, openIncidentsIn } from './evidence.ts';
import { renewVersions, updateOutbreak } from './incident-rows.ts';
import { noteCaughtUp, noteLateCounts, noteNearbyChanges } from './outbreak-entries.ts';
import { type IncidentState, isDelivered, isForgotten, neededBy, provenAt, stateBy } from './state.ts';
import { incidents, outbreaks, outbreakWorkflows } from './tables.ts';
import { type Happening, noteHappenings } from './timeline.ts';

/**
 * Draws from what was recorded which incidents recover and how bad the others are, and publishes their beginnings: what is told of an incident from
 * now on stays.
 */
export async function settleIncidents(db: Db, environment: string, horizonMs: number, now: Date): Promise<void> {
  const all = await openIncidentsIn(db, environment, horizonMs, now);
  // Incidents of other kinds end when whoever noticed them says so.
  const open = all.filter(({ incident }) => incident.kind === 'failures' || incident.kind === 'unreadable');
  const judged = open.map((row): JudgedIncident => ({ ...row, state: stateBy(row.evidence) }));
  const turns = judged.filter(({ incident, state }) => state !== incident.state);
  const firing = judged.filter(({ incident, state }) => state === 'firing' && incident.kind === 'failures');
  const changes = await badnessChanges(db, firing, now);
  await db.transaction(async (tx) => {
    // In the order of a poll: the other way round, both would wait for each other.
    await lockEnvironment(tx, environment);
    const changed: number[] = [];
    for (const turn of turns) if (await turnTo(tx, turn, now)) changed.push(turn.incident.id);
    for (const change of changes) await changeBadness(tx, change, now);
    changed.push(...changes.map(({ incident }) => incident.id));
    await publish(tx, environment);
    changed.push(...(await noteLateCounts(tx, environment, now)));
    changed.push(...(await noteNearbyChanges(tx, environment, now)));
    changed.push(...(await noteCaughtUp(tx, environment, now)));
    await renewVersions(tx, environment, changed);
  });
}

/** With the state that its evidence says by now. */
interface JudgedIncident extends OpenIncident {
  state: IncidentState;
}

/** Returns false if it failed again, or a person did something, since its evidence was read. */
async function turnTo(tx: Db, turn: JudgedIncident, now: Date): Promise<boolean> {
  const { incident, outbreak, evidence, state } = turn;
  const isAsRead = and(
    eq(incidents.id, incident.id),
    eq(incidents.state, incident.state),
    // Times in JavaScript have whole milliseconds only.
    lt(incidents.lastAt, addMilliseconds(incident.lastAt, 1)),
  );
  const turned = await tx.update(incidents).set({ state, stateAt: now }).where(isAsRead).returning();
  if (turned.length === 0) return false;
  if (state === 'recovering') {
    await updateOutbreak(tx, outbreak, { recoversSince: provenAt(evidence) });
    await noteNeeded(tx, turn);
  }
  if (state === 'firing') return true;
  const occurrence =
    state === 'resolved'
      ? await endOutbreak(tx, turn, now)
      : ({ action: state, lastFailedAt: outbreak.lastFailedAt } as const);
  await noteHappenings(tx, [{ incident, outbreak: outbreak.number, occurrence }], now);
  return true;
}

/** What proves the recovery is decided when it begins. */
async function noteNeeded(tx: Db, { outbreak, evidence }: OpenIncident): Promise<void> {
  for (const workflow of evidence.workflows) {
    const isWorkflow = and(
      eq(outbreakWorkflows.incidentId, outbreak.incidentId),
      eq(outbreakWorkflows.outbreak, outbreak.number),
      eq(outbreakWorkflows.workflow, workflow.workflow),
    );
    await tx
      .update(outbreakWorkflows)
      .set({ successesNeeded: neededBy(workflow) })
      .where(isWorkflow);
  }
}

async function endOutbreak(tx: Db, { outbreak, evidence }: OpenIncident, now: Date): Promise<Happening['occurrence']> {
  const isProven = evidence.failures === 0 || evidence.workflows.every(isDelivered) || !isForgotten(evidence);
  const ending = isProven ? 'recovered' : 'unconfirmed';
  const { beganAt: from, lastFailedAt: to, failures, subscribers, isAtLeast, verdicts } = outbreak;
  const end = { endedAt: now, endedAtService: evidence.checkedTo, ending, failuresAtEnd: failures } as const;
  await updateOutbreak(tx, outbreak, end);
  return { action: 'ended', ending, from, to, failures, subscribers, isAtLeast, verdicts };
}

/** An outbreak that is worse or better by now, with the attempts that say so. */
interface BadnessChange extends OpenIncident {
  badness: Badness;
  share: Share | undefined;
}

async function badnessChanges(db: Db, firing: readonly OpenIncident[], now: Date): Promise<readonly BadnessChange[]> {
  const shares = await recentAttempts(db, firing.map(placeOf), now);
  const changes: BadnessChange[] = [];
  for (const row of firing) {
    const share = shares.get(row.incident.id);
    const badness = badnessWith(row, share);
    if (badness === row.outbreak.badness) continue;
    if (badness === 'many' && isRise(row, badness) && (await roseByDeliveries(db, row, now))) continue;
    changes.push({ ...row, badness, share });
  }
  return changes;
}

const badnessWith = ({ incident, outbreak }: OpenIncident, share: Share | undefined): Badness =>
  badnessOf({ ...outbreak, ...incident }, share?.total ?? null);

const isRise = ({ outbreak }: OpenIncident, badness: Badness): boolean => isWorse(badness, outbreak.badness);

/** Whether it wasn't worse yet at its last failure. Later deliveries can complete the attempts of which a share says something: they make nothing worse. */
async function roseByDeliveries(db: Db, row: OpenIncident, now: Date): Promise<boolean> {
  const place = { ...placeOf(row), checkedTo: row.outbreak.lastFailedAt };
  const shares = await recentAttempts(db, [place], now);
  return !isRise(row, badnessWith(row, shares.get(row.incident.id)));
}

async function changeBadness(tx: Db, change: BadnessChange, now: Date): Promise<void> {
  const { incident, outbreak, badness, share } = change;
  await updateOutbreak(tx, outbreak, { badness, worst: worseOf(badness, outbreak.worst) });
  const isToTell = isRise(change, badness) && (badness === 'every' || badness === 'many');
  if (!isToTell || share === undefined) return;
  const { failed, tried } = share.total;
  const occurrence = { action: 'worse', badness, failed, tried } as const;
  await noteHappenings(tx, [{ incident, outbreak: outbreak.number, occurrence }], now);
}

/** What is told of an outbreak from now on stays. */
async function publish(tx: Db, environment: string): Promise<void> {
  const isUnpublished = and(eq(outbreaks.environment, environment), eq(outbreaks.isPublished, false));
  await tx.update(outbreaks).set({ isPublished: true }).where(isUnpublished);
}
