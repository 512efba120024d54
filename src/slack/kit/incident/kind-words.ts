import type { Tally } from '../../../failures/failure.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { type Markup, mrkdwn } from '../text.ts';
import { channelVia } from './names.ts';

export function kindName(tally: Tally): string {
  const { channel, provider } = tally.kind;
  return `${channelVia(channel, provider)} — ${workflowName(tally)}`;
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

/** As many digits as are easy to read at night. '0%' and '100%' are exact: none and all. */
export function percent(part: number, whole: number): string {
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return 'under 0.1%';
  if (value > 99.9 && value < 100) return 'over 99.9%';
  const isNearAnEnd = value < 10 || (value > 99 && value < 100);
  return `${isNearAnEnd ? Number(value.toFixed(1)) : Math.round(value)}%`;
}

function workflowName({ kind }: Tally): string {
  return maskedId(kind.workflow ?? kind.workflowName ?? 'deleted workflow');
}
