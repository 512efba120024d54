import { and, eq, isNotNull, isNull, notInArray } from 'drizzle-orm';
import { isWorse } from '../incidents/badness.ts';
import { newestEntries } from '../incidents/timeline.ts';
import { leavePosted } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { isSameWatch } from '../watches/parse-settings.ts';
import { isReadable, type Watch, type WatchSettings } from '../watches/settings.ts';
import { isAlertOf, putAlerts } from './alert-rows.ts';
import { type Covered, comparedIn, coveredBy, type View } from './candidates.ts';
import { decide, GROWTH, ToldState } from './decide.ts';
import { type AlertCursorRow, type AlertRow, watchAlerts } from './tables.ts';

/** As if nothing had been told. */
const NOTHING: ToldState = { failures: 0, critical: false, badness: 'one' };

/** A version older than any: every open incident changed since. */
const OLDEST_VERSION = -1;

type AlertKey = Pick<AlertRow, 'watchId' | 'incidentId' | 'environment'>;

const isMoved = (watch: Watch, cursor: AlertCursorRow): boolean => cursor.channel !== watch.channel;

export const isWatchEdited = (watch: Watch, cursor: AlertCursorRow): boolean =>
  isMoved(watch, cursor) || !isSameWatch(cursor.settings, watch.settings);

/**
 * After an edit of the watch: what it owed by the settings that were last used stays owed, and what it newly covers counts as told, so that neither is
 * lost or repeated. In another channel, what still fails is told anew.
 */
export async function noteWatchEdit(tx: Db, view: View, cursor: AlertCursorRow): Promise<void> {
  if (!isReadable(cursor) || !isWatchEdited(view.watch, cursor)) return;
  await noteOwed(tx, view, cursor);
  if (isMoved(view.watch, cursor)) await noteMoved(tx, view);
  else await countAsTold(tx, view, cursor.settings);
}

/** What the watch owes by the settings that were used until now. */
async function noteOwed(tx: Db, view: View, { version, settings }: AlertCursorRow): Promise<void> {
  const { watch, environment, now } = view;
  const compared = await comparedIn(tx, view, version);
  const covered = await coveredBy(tx, { ...view, settings }, compared);
  const owed = covered.flatMap(({ incident, candidate }) => {
    const decision = decide(candidate, now);
    // An incident that comes back over and over waits for its pause.
    const isPausing =
      decision.is === 'nothing' && decision.dueAt !== null && candidate.told?.outbreak !== candidate.outbreak;
    if (decision.is !== 'post' && decision.is !== 'held' && !isPausing) return [];
    const heldBy = decision.is === 'held' ? decision.why : null;
    return [{ watchId: watch.id, incidentId: incident.id, environment, owedSince: now, heldBy }];
  });
  await putAlerts(tx, owed);
}

/** Open incidents that the settings cover, however few or old their failures are. */
async function openCovered(tx: Db, view: View, settings: WatchSettings): Promise<readonly Covered[]> {
  const open = (await comparedIn(tx, view, OLDEST_VERSION)).filter(({ incident }) => incident.state !== 'resolved');
  return coveredBy(tx, { ...view, settings: { ...settings, threshold: null }, since: new Date(0) }, open);
}

/** What the new settings cover, and nothing is owed of, counts as told as it is now. */
async function countAsTold(tx: Db, view: View, formerSettings: WatchSettings): Promise<void> {
  const { watch, environment, now } = view;
  const formerlyCovered = await openCovered(tx, view, formerSettings);
  const formerById = new Map(formerlyCovered.map((row) => [row.incident.id, row]));
  const covered = await openCovered(tx, view, watch.settings);
  const ids = covered.map(({ incident }) => incident.id);
  const entries = await newestEntries(tx, ids);
  const unowed = covered.filter(({ incident, outbreak, alert, counts }) => {
    const isOwed = alert?.owedSince != null;
    // What failed after the edit is news.
    const failedSinceEdit = watch.editedAt !== null && counts.recordedAt > watch.editedAt;
    // The former settings covered this outbreak, and hadn't told it yet, as below their threshold.
    const isUntold = formerById.has(incident.id) && alert?.outbreak !== outbreak.number;
    return !isOwed && !failedSinceEdit && !isUntold;
  });
  const known: (AlertKey & ToldState)[] = [];
  const first: (AlertKey & ToldState & Pick<AlertRow, 'outbreak' | 'entryId' | 'postedAt' | 'dueAt'>)[] = [];
  for (const row of unowed) {
    const { alert, outbreak, incident, candidate } = row;
    const key = { watchId: watch.id, incidentId: incident.id, environment };
    if (alert?.outbreak === outbreak.number) {
      known.push({ ...key, ...toldAgain(alert, formerById.get(incident.id) ?? null, row) });
      continue;
    }
    const told = { outbreak: outbreak.number, entryId: entries.get(incident.id) ?? 0, postedAt: now, dueAt: null };
    first.push({ ...key, ...ToldState.parse(candidate), ...told });
  }
  await putAlerts(tx, known);
  await putAlerts(tx, first);
  await forgetUncovered(tx, view, ids);
}

/** Resets what was told of incidents that the new settings no longer cover, so that it isn't compared with if a later edit covers them again. */
async function forgetUncovered(tx: Db, { watch, environment }: View, coveredIds: readonly number[]): Promise<void> {
  const isUncovered = and(
    eq(watchAlerts.watchId, watch.id),
    eq(watchAlerts.environment, environment),
    isNull(watchAlerts.owedSince),
    coveredIds.length === 0 ? undefined : notInArray(watchAlerts.incidentId, [...coveredIds]),
  );
  await tx.update(watchAlerts).set(NOTHING).where(isUncovered);
}

/** What counts as told of an incident after the edit: how it is now, but what got worse before the edit and isn't told yet is still owed. */
function toldAgain(alert: AlertRow, before: Covered | null, { counts, badness }: Covered): ToldState {
  const hadGrown = before !== null && before.counts.failures >= GROWTH * Math.max(1, alert.failures);
  const hadBecomeCritical = before?.counts.critical === true && !alert.critical;
  const hadGotWorse = before !== null && (alert.badness === null || isWorse(before.badness, alert.badness));
  return {
    failures: hadGrown ? alert.failures : counts.failures,
    critical: hadBecomeCritical ? alert.critical : counts.critical,
    badness: hadGotWorse ? alert.badness : badness,
  };
}

/** Nobody in the new channel has read of what still fails: it is owed there, as if it had never been told. */
async function noteMoved(tx: Db, view: View): Promise<void> {
  const { watch, now } = view;
  await leavePosted(tx, watch.id);
  const covered = await openCovered(tx, view, watch.settings);
  const firingIds = covered.flatMap(({ incident }) => (incident.state === 'firing' ? [incident.id] : []));
  const untold = { outbreak: 0, messageId: null, isSingle: false, postedAt: null, rangAt: null, owedSince: now };
  const isTold = and(isAlertOf(watch.id, firingIds), isNotNull(watchAlerts.postedAt));
  if (firingIds.length > 0) await tx.update(watchAlerts).set(untold).where(isTold);
}
