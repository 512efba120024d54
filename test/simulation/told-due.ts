import { broke, type Discrepancy } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import { isOfSingles, type News, newsIn, type Reading } from './readings.ts';
import {
  around,
  type FailureThen,
  freeMs,
  type IncidentThen,
  isAcknowledged,
  isLost,
  isMuted,
  live,
  MINUTE,
  outbreakAt,
  type Told,
  type WatchThen,
} from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** Each outbreak that a watch covers is posted within the promised time, unless something holds it back. */
export function untold(told: Told): Discrepancy[] {
  const found: Discrepancy[] = [];
  const outbreaks = new Set<string>();
  for (const { incidents, watches } of told.moments)
    for (const watch of watches.keys())
      for (const [incident, { outbreak }] of incidents) outbreaks.add(JSON.stringify([watch, incident, outbreak]));
  for (const key of outbreaks) {
    const [watchId, incident, outbreak] = JSON.parse(key) as [string, number, number];
    const due = dueSince(told, watchId, incident, outbreak);
    if (due !== null)
      found.push(broke('due', `${watchId} had to be alerted to #${incident}, outbreak ${outbreak}, ${due}`));
  }
  return found;
}

function dueSince(told: Told, watchId: string, incident: number, outbreak: number): string | null {
  let waitedMs = 0;
  let from: number | null = null;
  let owed = new Set<string>();
  const flapsMs = outbreak <= 2 ? 0 : 10 * MINUTE * 2 ** (outbreak - 3);
  const posts = told.shown.filter(
    (each) => !each.isEdit && each.threadOf === null && told.aboutOf.get(each.deliveryId)?.includes(incident),
  );
  for (const [index, moment] of told.moments.entries()) {
    const [watch, then] = [moment.watches.get(watchId), moment.incidents.get(incident)];
    const next = told.moments[index + 1];
    if (watch === undefined || next === undefined) return null;
    const before = told.moments[index - 1]?.watches.get(watchId) ?? watch;
    if (then === undefined || then.outbreak < outbreak) continue;
    if (then.outbreak > outbreak) return null;
    const isEdited = before.settings !== watch.settings;
    const isNewlyCovered = (failure: FailureThen) =>
      watch.covers(incident, failure) && !before.covers(incident, failure);
    // What an edit newly covers, and nothing is certainly owed of, may count as told.
    if (isEdited && from === null && (owed.size > 0 || then.failures.some(isNewlyCovered))) return null;
    const left = then.failures.filter(({ id }) => owed.has(id)).map(({ id }) => id);
    const covered = then.failures.filter((failure) => [before, watch].every((each) => each.covers(incident, failure)));
    const wasOwed = owed.size > 0;
    owed = new Set([...left, ...covered.map(({ id }) => id)]);
    if (owed.size === 0) {
      [waitedMs, from] = [0, null];
      continue;
    }
    const isReached = wasOwed && from !== null ? true : watch.isReached(covered);
    if (!isReached) continue;
    from ??= moment.at;
    const people = new Set(covered.map(({ person }) => person)).size;
    const isSingle = told.mayBeSingle.has(incident) && people < 4;
    const first = Math.min(...then.failures.filter(({ id }) => owed.has(id)).map(({ at }) => at));
    const posted = posts.find(
      (post) =>
        post.place === watch.channel &&
        // What was posted in a lost time is adopted: its text has other numbers.
        (isLost(told, post.drawnAt) ||
          (post.drawnAt >= first - told.blurMs && (isSingle || !isSingleOnly(post, incident)))),
    );
    if (posted !== undefined && posted.at <= next.at + told.withinMs(next.at)) return null;
    const isMutedNow = [moment, next].some(({ at }) => isMuted(told, watchId, incident, outbreak, at));
    const lastPost = posts.findLast(({ place, at }) => place === watch.channel && at <= next.at)?.at ?? 0;
    const isPaced = watch.everyMs > 0 && hasPostedWithin(told, watchId, watch.everyMs, next.at);
    const isFree =
      !watch.isHeld && !next.watches.get(watchId)?.isHeld && !isMutedNow && !isPaced && lastPost + flapsMs < moment.at;
    if (isFree) waitedMs += freeMs(told, moment.at, next.at);
    if (waitedMs > told.withinMs(from) + (told.mayBeSingle.has(incident) ? 16 * MINUTE : 0))
      return `${owed.size} failures from ${clock(first)}, and wasn't by ${clock(next.at)}`;
  }
  return null;
}

const isSingleOnly = (post: Shown, incident: number): boolean =>
  isOfSingles(post) && !new RegExp(`#${incident}\\b|more incident`).test(post.text);

const hasPostedWithin = ({ shown, watchOf }: Told, watchId: string, ms: number, at: number): boolean =>
  shown.some(
    (each) => watchOf.get(each.deliveryId) === watchId && !each.isEdit && each.at < at && each.at > at - ms - MINUTE,
  );

function unescalated(told: Told, escalations: readonly Shown[]): Discrepancy[] {
  const waits = new Map<string, { ms: number; since: number }>();
  const found: Discrepancy[] = [];
  for (const [index, { at, incidents, watches }] of told.moments.entries()) {
    const next = told.moments[index + 1];
    for (const [watchId, watch] of watches)
      for (const [incident, { state, outbreak, failures }] of incidents) {
        const key = `${watchId} ${incident} ${outbreak}`;
        const critical = failures.filter((failure) => failure.critical && watch.covers(incident, failure));
        const other = next?.incidents.get(incident);
        const isSame = (each: WatchThen | undefined) => each?.settings === watch.settings && !each.isHeld;
        const isOwed =
          watch.escalateMs !== null &&
          state === 'firing' &&
          critical.length > 0 &&
          other?.state === 'firing' &&
          other.outbreak === outbreak &&
          [watch, next?.watches.get(watchId)].every(isSame) &&
          !isMuted(told, watchId, incident, outbreak, at) &&
          !told.done.some(
            ({ what, at: doneAt }) =>
              what !== 'followed' && what !== 'unfollowed' && doneAt >= at && doneAt <= (next?.at ?? at),
          ) &&
          !isAcknowledged(told, incident, outbreak, at) &&
          live(told).some((reading) => isTellingFor(told, watchId, watch, reading, incident, at));
        const last = waits.get(key);
        if (!isOwed || next === undefined) {
          waits.delete(key);
          continue;
        }
        const wait = { ms: (last?.ms ?? 0) + freeMs(told, at, next.at), since: last?.since ?? at };
        waits.set(key, wait);
        const isTold = escalations.some(
          (each) =>
            each.place === watch.channel &&
            told.aboutOf.get(each.deliveryId)?.includes(incident) &&
            outbreakAt(told, incident, each.drawnAt) !== outbreak - 1,
        );
        if (isTold || wait.ms <= (watch.escalateMs ?? 0) + told.withinMs(at) + MINUTE) continue;
        found.push(
          broke('due', `${watch.channel} wasn't escalated to for #${incident}, critical since ${clock(wait.since)}`),
        );
        wait.ms = Number.NEGATIVE_INFINITY;
      }
  }
  return found;
}

/** The watch itself told the outbreak, by a post that stands. */
const isTellingFor = (
  told: Told,
  watchId: string,
  { channel }: WatchThen,
  reading: Reading,
  incident: number,
  at: number,
) =>
  reading.incident === incident &&
  !reading.isEdit &&
  reading.at < at &&
  reading.place === channel &&
  told.watchOf.get(reading.deliveryId) === watchId &&
  outbreakAt(told, incident, reading.drawnAt) === outbreakAt(told, incident, at);

/** Who follows an incident learns its end, and that it is back. */
export function followersUntold(told: Told): Discrepancy[] {
  const found: Discrepancy[] = [];
  for (const [index, moment] of told.moments.entries()) {
    const before = told.moments[index - 1];
    for (const [incident, then] of moment.incidents) {
      const was = before?.incidents.get(incident);
      const news = was === undefined ? null : newsBetween(was, then);
      if (before === undefined || news === null) continue;
      const until = moment.at + told.withinMs(moment.at) + MINUTE;
      const isBrief = told.moments.some(({ at, incidents }) => {
        const other = incidents.get(incident);
        return (
          at > moment.at && at <= until + MINUTE && (other?.state !== then.state || other.outbreak !== then.outbreak)
        );
      });
      if (isBrief || until > told.end || freeMs(told, before.at, until) < until - before.at) continue;
      for (const person of followersOf(told, incident, before.at)) {
        const isTold = told.shown.some(
          (each) =>
            each.place === person &&
            told.aboutOf.get(each.deliveryId)?.includes(incident) &&
            newsIn(each) === news &&
            each.at >= before.at &&
            each.at <= until,
        );
        const isOwnAct = told.done.some(
          ({ actor, incidentId, at }) =>
            actor === person && incidentId === incident && at >= before.at && at <= moment.at,
        );
        if (!isTold && !isOwnAct)
          found.push(broke('due', `${person}, who follows #${incident}, didn't learn by ${clock(until)}: ${news}`));
      }
    }
  }
  return found;
}

function newsBetween(was: IncidentThen, is: IncidentThen): News | null {
  if (is.outbreak > was.outbreak) return is.state === 'firing' ? 'back' : null;
  if (was.state !== 'resolved' && is.state === 'resolved') return 'ended';
  return null;
}

function followersOf(told: Told, incident: number, at: number): string[] {
  const following = new Map<string, boolean>();
  for (const act of told.done)
    if (act.incidentId === incident && act.at < at && /followed/.test(act.what))
      following.set(act.actor, act.what === 'followed');
  return [...following].flatMap(([person, isFollowing]) => (isFollowing && told.isReached(person) ? [person] : []));
}

/** Escalations come in time, and only of what fails, is critical, and nobody has acknowledged. */
export function escalated(told: Told): Discrepancy[] {
  const escalations = told.shown.filter(
    (each) => !each.isEdit && (newsIn(each) === 'escalated' || /· not acknowledged/.test(each.text)),
  );
  const wrong = escalations.flatMap(({ deliveryId, drawnAt, at, place, text }) => {
    const about = told.aboutOf.get(deliveryId) ?? [];
    const isTrue = about.some((incident) => {
      const outbreak = outbreakAt(told, incident, drawnAt);
      return outbreak === null || !isAcknowledged(told, incident, outbreak, drawnAt);
    });
    const fails = about.some((incident) =>
      around(told, drawnAt).some((moment) => moment.incidents.get(incident)?.state === 'firing'),
    );
    if (about.length === 0 || isLost(told, drawnAt) || (isTrue && (fails || text.startsWith('⏰ At')))) return [];
    return [broke('true', `${place} reads at ${clock(at)} that nobody has acknowledged #${about}, which isn't so`)];
  });
  return [...wrong, ...unescalated(told, escalations)];
}
