import type { Example, Tally } from '../../../failures/failure.ts';
import type { Share } from '../../../failures/summary.ts';
import { VERDICT_WORDS } from '../../../failures/verdict.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { code, joined, type Markup, mrkdwn, named, plural } from '../text.ts';
import { timeNear, windowNear } from '../times.ts';
import { capitalised, channelName, channelVia, failureCount, outcomeCount, providerName } from './names.ts';

export function kindName(tally: Tally): string {
  const { channel, provider } = tally.kind;
  return `${channelVia(channel, provider)} — ${workflowName(tally)}`;
}

export function kindTitle(tally: Tally): Markup {
  const { channel, provider } = tally.kind;
  return mrkdwn`*${named(channelVia(channel, provider))} — ${named(workflowName(tally))}*${marks(tally)}`;
}

export function causeWords({ kind, verdict }: Tally): Markup {
  return mrkdwn`${capitalised(VERDICT_WORDS[verdict])}: ${kind.cause.text}`;
}

export function kindSentence({ kind, failures, verdict }: Tally): Markup {
  const via = kind.provider === null ? '' : ` via ${providerName(kind.provider)}`;
  const workflow = maskedId(kind.workflow ?? 'a deleted workflow');
  return mrkdwn`${named(`${capitalised(channelName(kind.channel))}${via}`)}, ${named(workflow)}: ${outcomeCount(verdict, failures)}, ${kind.cause.text}`;
}

export function kindFacts(tally: Tally, share: Share | null, asOf: Date): Markup[] {
  const { subscribers, firstSeen: from, lastSeen: to, failures, verdict } = tally;
  const ms = to.getTime() - from.getTime();
  const count = failureCount(verdict, failures);
  const isMoment = ms < 1000;
  return [
    isMoment ? count : mrkdwn`${count} in ${describeDuration(ms)}`,
    ...(share === null ? [] : [ownShare(share)]),
    plural(subscribers, 'subscriber'),
    isMoment ? timeNear(from, asOf, 'seconds') : windowNear(asOf)({ from, to }),
  ];
}

function ownShare({ failed, of }: Share): Markup {
  if (of < FEWEST_FOR_PERCENT) return mrkdwn`${failed} of its ${plural(of, 'event')}`;
  return mrkdwn`${percent(failed, of)} of its events`;
}

/** Rows get copied between channels, so contacts in their IDs are masked for every audience. */
export function exampleLine({ transactionId, subscriberId }: Example): Markup {
  const example = mrkdwn`e.g. ${code(maskedId(transactionId))}`;
  return subscriberId === null ? example : mrkdwn`${example} for ${code(maskedId(subscriberId))}`;
}

/**
 * A late failure counts when it becomes known, its event when it was checked: more can have failed than were checked.
 */
export function failedOf(failedEvents: number, eventsChecked: number): Markup {
  if (failedEvents > eventsChecked) return mrkdwn`${failedEvents} failed, some of them checked before`;
  if (eventsChecked < FEWEST_FOR_PERCENT) return mrkdwn`${failedEvents} failed`;
  return mrkdwn`${failedEvents} failed (${percent(failedEvents, eventsChecked)})`;
}

/** With fewer, a percentage says no more than the numbers. */
export const FEWEST_FOR_PERCENT = 5;

export function shareWords(failed: number, of: number): Markup {
  return of < FEWEST_FOR_PERCENT ? mrkdwn`${failed} of ${plural(of, 'event')}` : mrkdwn`${percent(failed, of)}`;
}

/** As many digits as are easy to read at night. '0%' and '100%' are exact: none and all. */
export function percent(part: number, whole: number): string {
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return 'under 0.1%';
  if (value > 99.9 && value < 100) return 'over 99.9%';
  const isNearAnEnd = value < 10 || (value > 99 && value < 100);
  return `${isNearAnEnd ? Number(value.toFixed(1)) : Math.round(value)}%`;
}

export function workflowName({ kind }: Tally): string {
  return maskedId(kind.workflow ?? kind.workflowName ?? 'deleted workflow');
}

/** What is critical needs no severity beside it. */
export function marks({ critical, severity, kind }: Tally): Markup {
  const words = [
    ...(kind.isTest ? ['test'] : []),
    ...(critical ? ['critical'] : severity === null || severity === 'none' ? [] : [`severity ${severity}`]),
  ];
  return joined(
    words.map((word) => mrkdwn` · ${named(word)}`),
    '',
  );
}
