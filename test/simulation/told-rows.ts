import { broke, type Discrepancy } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import { beginningIn, newsIn, type Reading } from './readings.ts';
import {
  around,
  every,
  isExcused,
  isLost,
  isPerson,
  live,
  MINUTE,
  type Moment,
  outbreakAt,
  type Told,
} from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** A "since" that was told never moves. A watch's part of an incident has its own beginning, which lines in its thread don't say. */
export function sinceMoved(told: Told): Discrepancy[] {
  const ends = told.shown.flatMap((line) => {
    const watchId = told.watchOf.get(line.threadOf ?? '') ?? '';
    const about = told.aboutOf.get(line.deliveryId) ?? [];
    const isWhole = told.moments.every(({ watches }) => watches.get(watchId)?.isWhole);
    const lines = line.text.split('\n');
    if (!isWhole || about.length > lines.length) return [];
    const { at, drawnAt } = line;
    return lines.flatMap((text, place) => {
      const incident = about[place];
      return incident === undefined ? [] : [{ at, drawnAt, incident, since: beginningIn({ text }), watchId }];
    });
  });
  const rows = live(told).map((row) => ({ ...row, watchId: told.watchOf.get(row.deliveryId) ?? '' }));
  const known = new Map<string, { since: number | null; at: number }>();
  return [...rows, ...ends].flatMap(({ incident, since, at, drawnAt, watchId }) => {
    const outbreak = outbreakAt(told, incident, drawnAt);
    // Where the channel can't be read, nobody knows any more what was told in a lost time.
    const isForgotten = isLost(told, drawnAt) && !told.isHistoryRead;
    if (since === null || outbreak === null || isForgotten) return [];
    const key = `${watchId} ${incident} ${outbreak}`;
    const first = known.get(key) ?? { since, at };
    known.set(key, first);
    if (first.since === since || first.since === null) return [];
    const words = `#${incident} is told as since ${clock(first.since)} at ${clock(first.at)}`;
    return [broke('true', `${words}, and as since ${clock(since)} at ${clock(at)}`)];
  });
}

/** Counts are those of the outbreak's failures that the watch covers. */
export function miscounted(told: Told): Discrepancy[] {
  if (!told.isCountable) return [];
  return live(told).flatMap((reading) => {
    const { incident, failures, drawnAt, place, at } = reading;
    if (failures === null || isExcused(told, drawnAt)) return [];
    const near = around(told, drawnAt);
    const counts = near.flatMap((moment) => countIn(told, moment, reading));
    // It began, or came back, just then.
    if (new Set(near.map(({ incidents }) => incidents.get(incident)?.outbreak)).size > 1) counts.push(0);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    if (counts.length === 0 || (failures >= least && failures <= most)) return [];
    const words = `${place} reads ${failures} failures of #${incident} at ${clock(at)}`;
    return [broke('counted', `${words}, which had ${least === most ? least : `${least} to ${most}`}`)];
  });
}

function countIn(told: Told, { incidents, watches }: Moment, { incident, deliveryId }: Reading): number[] {
  const then = incidents.get(incident);
  const watchId = told.watchOf.get(deliveryId);
  const watch = watchId === undefined ? null : watches.get(watchId);
  if (then === undefined || watch === undefined) return [];
  const covered = then.failures.filter((failure) => watch?.covers(incident, failure) ?? true).length;
  // Where only others' failures go on, a row counts those that it was posted for.
  const posted = then.earlier.filter((failure) => watch?.covers(incident, failure) ?? true).length;
  // What is owed by settings of before is counted whole.
  if (wasEdited(told, watchId)) return [covered, then.failures.length];
  return covered === 0 ? [covered, posted, then.failures.length] : [covered];
}

const wasEdited = ({ done }: Told, watchId: string | undefined): boolean =>
  done.some((act) => act.what === 'edited' && act.watchId === watchId);

/** What hasn't changed for so long before the end has to be shown: longer than an edit waits for the next poll. */
const SETTLED_MS = 30 * MINUTE;

/** The newest message about an incident shows how it is in the end. */
export function outdated(told: Told): Discrepancy[] {
  const last = told.moments.at(-1);
  if (!told.isEditable || last === undefined) return [];
  const newest = new Map<string, Reading>();
  for (const reading of live(told)) {
    const watch = told.watchOf.get(reading.deliveryId);
    if (watch === undefined || last.watches.get(watch)?.channel !== reading.place) continue;
    if (told.deletedAt.has(reading.deliveryId)) newest.delete(`${watch} ${reading.incident}`);
    else newest.set(`${watch} ${reading.incident}`, reading);
  }
  return [...newest.values()].flatMap((reading) => {
    const { incident, place, deliveryId } = reading;
    const then = last.incidents.get(incident);
    const lastMoments = told.moments.filter(({ at }) => at > told.end - SETTLED_MS);
    const isSame = (moment: Moment) => {
      const other = moment.incidents.get(incident);
      return other?.state === then?.state && other?.failures.length === then?.failures.length;
    };
    const watchId = told.watchOf.get(deliveryId) ?? '';
    const isEdited = lastMoments.some(
      ({ watches }) => watches.get(watchId)?.settings !== last.watches.get(watchId)?.settings,
    );
    if (then === undefined || !lastMoments.every(isSame) || isEdited || hasNewer(told, reading)) return [];
    const counts = countIn(told, last, reading);
    const isCounted = !told.isCountable || reading.failures === null || counts.includes(reading.failures);
    // A watch shows as it is what only others' failures go on with, too.
    if (isCounted && reading.state === then.state) return [];
    const reads = `${place} reads #${incident} as ${reading.state}, ${reading.failures} failures`;
    return [broke('edited', `${reads} since ${clock(reading.at)}; it is ${then.state}, ${counts}`)];
  });
}

/** A newer message of the channel is about it, so that this one stays as it is; or it only counts it among others by now. */
const hasNewer = ({ readings, aboutOf, shown }: Told, { at, place, incident, deliveryId }: Reading): boolean =>
  readings.some((other) => other.at > at && other.place === place && other.incident === incident) ||
  shown.some(
    (other) =>
      other.at > at &&
      other.place === place &&
      (other.deliveryId === deliveryId || !other.isEdit) &&
      other.threadOf === null &&
      aboutOf.get(other.deliveryId)?.includes(incident),
  );

/** What is told as over has been calm, and each workflow was delivered again. */
export function endedFalsely(told: Told): Discrepancy[] {
  const seen = new Set<string>();
  return told.moments.flatMap(({ incidents }) =>
    [...incidents].flatMap(([incident, { outbreak, endedAt: at, failures: all }]) => {
      const key = `${incident} ${outbreak}`;
      const failures = all.filter((failure) => at !== null && failure.at < at - told.replicasApartMs);
      if (at === null || failures.length === 0 || seen.has(key)) return [];
      seen.add(key);
      const isResolved = told.done.some((done) => done.incidentId === incident && done.what === 'resolved');
      const last = Math.max(...failures.map(({ failedAt }) => failedAt));
      const calmMs = at - last;
      const provenAt = told.provenAt(incident, failures);
      if (isResolved || (calmMs >= 10 * MINUTE - told.blurMs && provenAt <= at)) return [];
      const why =
        provenAt > at ? 'without a delivery that shows it' : `${Math.round(calmMs / MINUTE)} min after a failure`;
      return [broke('true', `#${incident} is told as over by ${clock(at)}, ${why}`)];
    }),
  );
}

/** What a line or a direct message says is so when it's posted. */
export function untrue(told: Told): Discrepancy[] {
  return told.shown.flatMap((each) => {
    const [incident, ...others] = told.aboutOf.get(each.deliveryId) ?? [];
    const isNews = !each.isEdit && (each.threadOf !== null || isPerson(each.place));
    if (!isNews || incident === undefined || others.length > 0 || isLost(told, each.drawnAt)) return [];
    if (!isFalse(told, incident, each)) return [];
    return [broke('true', `${each.place} reads at ${clock(each.at)} of #${incident}: ${newsIn(each)}, which isn't so`)];
  });
}

function isFalse(told: Told, incident: number, shown: Shown): boolean {
  const states = around(told, shown.drawnAt).map(({ incidents }) => incidents.get(incident)?.state);
  switch (newsIn(shown)) {
    case 'ended': {
      const isOpen = states.every((state) => state !== 'resolved');
      return isOpen && outbreakAt(told, incident, shown.drawnAt) !== null && !wasEnded(told, incident, shown);
    }
    case 'back':
    case 'failing-again':
      return states.every((state) => state === 'resolved');
    default:
      return false;
  }
}

/** A line of an end stays true when it's back: it names the outbreak's time. */
const wasEnded = (told: Told, incident: number, { drawnAt, place }: Shown): boolean =>
  !isPerson(place) &&
  told.moments.some(({ at, incidents }) => at <= drawnAt && incidents.get(incident)?.state === 'resolved');

/** No post is about nothing. */
export function postedForNothing(told: Told): Discrepancy[] {
  const empty = live(told).filter(({ isEdit, failures }) => !isEdit && failures === 0);
  return empty.map(({ place, at, incident }) =>
    broke('true', `${place} reads at ${clock(at)} of #${incident}: no failure`),
  );
}

/** Nothing is posted while the watch is certainly muted or in quiet hours. */
export function alertedWhileHeld(told: Told): Discrepancy[] {
  const held = told.shown.filter(({ isEdit, threadOf, drawnAt, deliveryId }) => {
    const watchId = told.watchOf.get(deliveryId) ?? '';
    const isHeld = ({ watches }: Moment) => watches.get(watchId)?.isSurelyHeld ?? false;
    return !isEdit && threadOf === null && around(told, drawnAt).length > 1 && every(told, drawnAt, isHeld);
  });
  return held.map(({ place, at }) => broke('muted', `${place} was alerted at ${clock(at)}, while it is silenced`));
}
