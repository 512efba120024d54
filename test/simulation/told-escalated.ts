import { broke, type Discrepancy } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import { type Reading, saysAtATime, saysUnacknowledged } from './readings.ts';
import {
  freeMs,
  isAcknowledged,
  isLost,
  isMuted,
  live,
  MINUTE,
  type Moment,
  mayFail,
  outbreakAt,
  type Told,
} from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** Escalations come in time, and only of what fails, is critical, and nobody has acknowledged. */
export function escalated(told: Told): Discrepancy[] {
  const escalations = told.shown.filter((each) => !each.isEdit && saysUnacknowledged(each));
  const wrong = escalations.flatMap((escalation) => {
    const { deliveryId, at, place } = escalation;
    const about = told.aboutOf.get(deliveryId) ?? [];
    if (about.length === 0 || mayBeTrue(told, escalation, about)) return [];
    return [broke('true', `${place} reads at ${clock(at)} that nobody has acknowledged #${about}, which isn't so`)];
  });
  return [...wrong, ...unescalated(told, escalations)];
}

function mayBeTrue(told: Told, escalation: Shown, about: readonly number[]): boolean {
  const { drawnAt } = escalation;
  if (isLost(told, drawnAt)) return true;
  const mayBeUnowned = about.some((incident) => {
    const outbreak = outbreakAt(told, incident, drawnAt);
    return outbreak === null || !isAcknowledged(told, incident, outbreak, drawnAt);
  });
  const isFailing = about.some((incident) => mayFail(told, incident, drawnAt));
  return mayBeUnowned && (isFailing || saysAtATime(escalation));
}

/** How long an escalation has been owed without a pause. */
interface Wait {
  since: number;
  ms: number;
  isReported: boolean;
}

function unescalated(told: Told, escalations: readonly Shown[]): Discrepancy[] {
  const waits = new Map<string, Wait>();
  const found: Discrepancy[] = [];
  for (const [index, moment] of told.moments.entries()) {
    const { at, incidents, watches } = moment;
    const next = told.moments[index + 1];
    if (next === undefined) break;
    for (const [watchId, { channel, escalateMs }] of watches)
      for (const [incident, { outbreak }] of incidents) {
        if (escalateMs === null) continue;
        const key = `${watchId} ${incident} ${outbreak}`;
        if (!isOwed(told, { watchId, incident }, moment, next)) {
          waits.delete(key);
          continue;
        }
        const wait = waits.get(key) ?? { since: at, ms: 0, isReported: false };
        waits.set(key, wait);
        wait.ms += freeMs(told, at, next.at);
        const isLate = wait.ms > escalateMs + told.withinMs(at) + MINUTE;
        // One of the outbreak before is none of this one.
        const isTold = escalations.some(
          ({ place, deliveryId, drawnAt }) =>
            place === channel &&
            told.aboutOf.get(deliveryId)?.includes(incident) &&
            outbreakAt(told, incident, drawnAt) !== outbreak - 1,
        );
        if (isTold || !isLate || wait.isReported) continue;
        wait.isReported = true;
        found.push(
          broke('due', `${channel} wasn't escalated to for #${incident}, critical since ${clock(wait.since)}`),
        );
      }
  }
  return found;
}

interface Subject {
  watchId: string;
  incident: number;
}

/** Whether a watch that escalates certainly owes that from a moment to the next. */
function isOwed(told: Told, subject: Subject, moment: Moment, next: Moment): boolean {
  const { watchId, incident } = subject;
  const [watch, nextWatch] = [moment.watches.get(watchId), next.watches.get(watchId)];
  if (watch === undefined || nextWatch?.settings !== watch.settings || watch.mayBeHeld || nextWatch.mayBeHeld)
    return false;
  const [then, later] = [moment.incidents.get(incident), next.incidents.get(incident)];
  if (then?.state !== 'firing' || later?.state !== 'firing' || later.outbreak !== then.outbreak) return false;
  if (!then.failures.some((failure) => failure.critical && watch.covers(incident, failure))) return false;
  if (isMuted(told, watchId, incident, then.outbreak, moment.at)) return false;
  if (isAcknowledged(told, incident, then.outbreak, moment.at)) return false;
  const isSomethingDone = told.done.some(
    ({ what, at }) => what !== 'followed' && what !== 'unfollowed' && at >= moment.at && at <= next.at,
  );
  if (isSomethingDone) return false;
  return live(told).some((reading) => reading.place === watch.channel && isTelling(told, subject, reading, moment.at));
}

/** The watch itself told the outbreak, by a post that stands. */
const isTelling = (told: Told, { watchId, incident }: Subject, reading: Reading, at: number): boolean =>
  reading.incident === incident &&
  !reading.isEdit &&
  reading.at < at &&
  told.watchOf.get(reading.deliveryId) === watchId &&
  outbreakAt(told, incident, reading.drawnAt) === outbreakAt(told, incident, at);
