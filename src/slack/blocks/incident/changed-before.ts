import type { EnvironmentChange } from '../../../domain/changes/change.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { time } from '../times.ts';
import { changedWords } from './change-words.ts';

/** '⚙️ SendGrid integration (email): made inactive · 2 min to 4 min before the first failure'; none where no change may explain it. */
export function changedBeforeLine({ changedBefore, tally }: Pick<IncidentNow, 'changedBefore' | 'tally'>): Markup[] {
  if (changedBefore === null) return [];
  return [mrkdwn`${changedWords(changedBefore.what)} · ${whenWords(changedBefore, tally.firstSeen)}`];
}

function whenWords({ at, after }: EnvironmentChange, firstFailure: Date): Markup {
  if (at > firstFailure) return mrkdwn`between ${time(after)} and ${time(at)}, around the first failure`;
  const before = (moment: Date) => describeDuration(firstFailure.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before the first failure`;
}
