import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import type { Skew } from '../../../domain/incidents/skews.ts';
import { idCode } from '../shown-id.ts';
import { joined, type Markup, mrkdwn, plural } from '../text.ts';
import { percent } from './group-words.ts';

/**
 * '🏷️ All 48 failed events: context `tenant:acme` (12% of all events) · 3 of 41 subscribers have 80% of them'. Empty if there is no skew.
 */
export function skewLine({ skews: { found, newest } }: IncidentNow): Markup[] {
  if (found.length === 0) return [];
  const words = found.map((skew) => skewWords(skew, newest));
  return [mrkdwn`🏷️ ${joined(words, ' · ')}`];
}

function skewWords(skew: Skew, newest: number | null): Markup {
  const last = newest === null ? '' : 'the last ';
  if (skew.is === 'subscribers') {
    const { subscribers, of, events, ofEvents } = skew;
    const have = subscribers === 1 ? 'has' : 'have';
    return mrkdwn`${subscribers} of ${plural(of, 'subscriber')} ${have} ${events} of ${last}${plural(ofEvents, 'failed event')}`;
  }
  const { label, events, of, usually } = skew;
  const count = events === of ? (newest === null ? 'All' : 'All of') : `${events} of`;
  return mrkdwn`${count} ${last}${plural(of, 'failed event')}: ${label.kind} ${idCode(label.value, 'everyone')} (${percent(usually, 1)} of all events)`;
}
