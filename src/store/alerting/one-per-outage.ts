import type { Candidate } from '../../domain/alerting/alert-decision.ts';
import type { Minutes } from '../../domain/alerting/threshold.ts';

export interface OutageCandidate extends Candidate {
  /** The same for all episodes of an outage. */
  readonly outage: string;
  /** Its episode and earlier ones of the outage, as far as they are held for later. */
  readonly heldEpisodes: readonly number[];
}

/** The newest episode is announced for all, with what a mute withheld in any of them, since the earlier ones go on in it. */
export function onePerOutage(covered: readonly OutageCandidate[]): OutageCandidate[] {
  const newestFirst = covered.toSorted((one, other) => other.episodeId - one.episodeId);
  const merged = new Map<string, OutageCandidate>();
  const apart: OutageCandidate[] = [];
  for (const candidate of newestFirst) {
    const newest = merged.get(candidate.outage);
    if (newest === undefined) merged.set(candidate.outage, candidate);
    else if (isShownElsewhere(newest, candidate)) apart.push(candidate);
    else merged.set(candidate.outage, withEarlier(newest, candidate));
  }
  return [...merged.values(), ...apart];
}

/** What a deleted message never showed isn't in the message about a later episode that is already there. */
function isShownElsewhere(newest: Candidate, earlier: Candidate): boolean {
  return newest.lastAlert !== null && earlier.held?.why === 'gone';
}

function withEarlier(newest: OutageCandidate, earlier: OutageCandidate): OutageCandidate {
  return {
    ...newest,
    wasAlertedEarlier: newest.wasAlertedEarlier || earlier.wasAlertedEarlier || earlier.lastAlert !== null,
    missed: newest.missed + earlier.missed,
    minutes: bothMinutes(newest.minutes, earlier.minutes),
    held: earlier.held ?? newest.held,
    heldEpisodes: [...newest.heldEpisodes, ...earlier.heldEpisodes],
  };
}

function bothMinutes(one: Minutes, other: Minutes): Minutes {
  const failures = new Map(one.failures);
  for (const [minute, count] of other.failures) failures.set(minute, (failures.get(minute) ?? 0) + count);
  return { failures, events: new Map([...other.events, ...one.events]) };
}
