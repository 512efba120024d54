import { and, eq, inArray, isNotNull, isNull, ne, notInArray } from 'drizzle-orm';
import { isWorse } from '../incidents/badness.ts';
import { incidents } from '../incidents/tables.ts';
import { leavePosted } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import type { WatchMute } from '../watches/mutes.ts';
import { isSameWatch } from '../watches/parse-settings.ts';
import { isReadable, type Watch, type WatchSettings } from '../watches/settings.ts';
import { type Covered, comparedIn, coveredBy } from './candidates.ts';
import { decide, GROWTH } from './decide.ts';
import { newestEntries } from './entries.ts';
import { type AlertCursorRow, type AlertRow, watchAlerts } from './tables.ts';

interface Edit {
  watch: Watch;
  cursor: AlertCursorRow;
  environment: string;
  mutes: readonly WatchMute[];
}

const isMoved = (watch: Watch, cursor: AlertCursorRow): boolean => cursor.channel !== watch.channel;

export const isEdited = (watch: Watch, cursor: AlertCursorRow): boolean =>
  isMoved(watch, cursor) || !isSameWatch(cursor.settings, watch.settings);

/**
 * After an edit of the watch: what it owed by the settings that were last used stays owed, and what it newly covers counts as told, so that neither is
 * lost or repeated. In another channel, what still fails is told anew.
 */
export async function noteEdited(tx: Db, edit: Edit, now: Date): Promise<void> {
  const { watch, cursor } = edit;
  if (!isReadable(cursor) || !isEdited(watch, cursor)) return;
  await noteOwed(tx, edit, now);
  if (isMoved(watch, cursor)) await noteMoved(tx, edit, now);
  else await countAsTold(tx, edit, now);
}

/** By the settings that were used until now. */
async function noteOwed(tx: Db, { watch, cursor, environment, mutes }: Edit, now: Date): Promise<void> {
  const compared = await comparedIn(tx, watch, environment, cursor.version, now);
  const before = { settings: cursor.settings, mutes, since: watch.createdAt };
  const covered = await coveredBy(tx, watch, environment, compared, before, now);
  for (const { incident, candidate } of covered) {
    const decision = decide(candidate, now);
    const isWaiting =
      decision.is === 'nothing' && decision.dueAt !== null && candidate.told?.outbreak !== candidate.outbreak;
    if (decision.is !== 'post' && decision.is !== 'held' && !isWaiting) continue;
    const heldBy = decision.is === 'held' ? decision.why : null;
    const owed = { owedSince: now, heldBy };
    await tx
      .insert(watchAlerts)
      .values({ watchId: watch.id, incidentId: incident.id, environment, ...owed })
      .onConflictDoUpdate({ target: [watchAlerts.watchId, watchAlerts.incidentId], set: owed });
  }
}

async function openCovered(
  tx: Db,
  { watch, environment, mutes }: Edit,
  settings: WatchSettings,
  now: Date,
): Promise<readonly Covered[]> {
  const isOpen = and(eq(incidents.environment, environment), ne(incidents.state, 'resolved'));
  const open = await tx.select({ id: incidents.id }).from(incidents).where(isOpen);
  const ids = new Set(open.map(({ id }) => id));
  const compared = (await comparedIn(tx, watch, environment, -1, now)).filter(({ incident }) => ids.has(incident.id));
  const any = { settings: { ...settings, threshold: null }, mutes, since: new Date(0) };
  return coveredBy(tx, watch, environment, compared, any, now);
}

/** What the new settings cover, and nothing is owed of, counts as told as it is now. */
async function countAsTold(tx: Db, edit: Edit, now: Date): Promise<void> {
  const { watch, cursor, environment } = edit;
  const before = new Map(
    (await openCovered(tx, edit, cursor.settings, now)).map((row) => [row.incident.id, row] as const),
  );
  const covered = await openCovered(tx, edit, watch.settings, now);
  const ids = covered.map(({ incident }) => incident.id);
  const entries = await newestEntries(tx, ids);
  for (const row of covered) {
    const { incident, outbreak, alert, counts, badness } = row;
    const isTold = alert !== null && alert.outbreak === outbreak.number;
    const isOwed = alert !== null && alert.owedSince !== null;
    const isLater = watch.editedAt !== null && counts.recordedAt > watch.editedAt;
    if (isOwed || isLater || (before.has(incident.id) && !isTold)) continue;
    const { failures, critical } = counts;
    const known = { outbreak: outbreak.number, failures, critical, badness };
    const first = { ...known, entryId: entries.get(incident.id) ?? 0, postedAt: now, dueAt: null };
    await tx
      .insert(watchAlerts)
      .values({ watchId: watch.id, incidentId: incident.id, environment, ...first })
      .onConflictDoUpdate({
        target: [watchAlerts.watchId, watchAlerts.incidentId],
        set: isTold ? toldAgain(alert, before.get(incident.id) ?? null, row) : first,
      });
  }
  // What others had failed isn't known to settings that don't cover it.
  const isUncovered = and(
    eq(watchAlerts.watchId, watch.id),
    eq(watchAlerts.environment, environment),
    isNull(watchAlerts.owedSince),
    ids.length === 0 ? undefined : notInArray(watchAlerts.incidentId, ids),
  );
  await tx.update(watchAlerts).set({ failures: 0, critical: false, badness: 'one' }).where(isUncovered);
}

type Known = Pick<AlertRow, 'failures' | 'critical' | 'badness'>;

/** What got worse before the edit, and isn't told yet, still is to be. */
function toldAgain(alert: AlertRow, before: Covered | null, { counts, badness }: Covered): Known {
  const got = before?.counts;
  const hasGrown = got !== undefined && got.failures >= GROWTH * Math.max(1, alert.failures);
  const isWorseNow = before !== null && (alert.badness === null || isWorse(before.badness, alert.badness));
  return {
    failures: hasGrown ? alert.failures : counts.failures,
    critical: got?.critical === true && !alert.critical ? false : counts.critical,
    badness: isWorseNow ? alert.badness : badness,
  };
}

async function noteMoved(tx: Db, edit: Edit, now: Date): Promise<void> {
  const { watch, environment } = edit;
  await leavePosted(tx, watch.id);
  const failing = (await openCovered(tx, edit, watch.settings, now)).filter(
    ({ candidate }) => candidate.state === 'firing',
  );
  const open = failing.map(({ incident }) => incident.id);
  const untold = { outbreak: 0, messageId: null, isSingle: false, postedAt: null, rangAt: null, owedSince: now };
  const isOpen = and(
    eq(watchAlerts.watchId, watch.id),
    eq(watchAlerts.environment, environment),
    inArray(watchAlerts.incidentId, open),
    isNotNull(watchAlerts.postedAt),
  );
  if (open.length > 0) await tx.update(watchAlerts).set(untold).where(isOpen);
}
