import type { FailureFilter } from '../../domain/failure-filter.ts';
import type { ReadingWindow } from '../../domain/reading.ts';
import { describeDuration } from '../../domain/span.ts';
import { onlyWords } from '../blocks/only-words.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

const HOUR_MS = 60 * 60_000;
/** A span that ended this recently is called the last hour, not named by its times. */
const RECENT_MS = 60_000;

/** 'last hour', 'last 2 h', or from when to when. */
export function spanWords({ from, to }: ReadingWindow, now: Date): Markup {
  const lasted = to.getTime() - from.getTime();
  if (now.getTime() - to.getTime() > RECENT_MS) return mrkdwn`${time(from, 'day')} to ${time(to, 'day')}`;
  return lasted === HOUR_MS ? mrkdwn`last hour` : mrkdwn`last ${describeDuration(lasted)}`;
}

/** 'Only workflow order-shipped, channel email'; null where all failures were asked for. */
export function filterWords(filter: FailureFilter): Markup | null {
  const parts = [
    ...onlyWords('workflow', filter.workflows),
    ...onlyWords('channel', filter.channels),
    ...onlyWords('provider', filter.providers),
    ...onlyWords('subscriber', filter.subscribers),
    ...onlyWords('severity', filter.severities),
    ...onlyWords('transaction', filter.transactions),
  ];
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}
