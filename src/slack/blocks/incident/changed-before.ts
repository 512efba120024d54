import type { ChangeBefore } from '../../../domain/changes/changed-before.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { changedWords } from './change-words.ts';

/** None where no change may explain it. */
export function changedBeforeLine({ changedBefore, tally }: Pick<IncidentNow, 'changedBefore' | 'tally'>): Markup[] {
  if (changedBefore === null) return [];
  const { what, moreDeploys } = changedBefore;
  const more = moreDeploys === 0 ? [] : [mrkdwn`${plural(moreDeploys, 'more deploy')} in the half hour before it`];
  return [joined([changedWords(what), whenWords(changedBefore, tally.firstSeen), ...more], ' · ')];
}

function whenWords({ at, after }: ChangeBefore, firstFailure: Date): Markup {
  if (at > firstFailure) return mrkdwn`between ${time(after)} and ${time(at)}, around the first failure`;
  const before = (moment: Date) => describeDuration(firstFailure.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before the first failure`;
}
