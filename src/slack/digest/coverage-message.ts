import type { DigestContent, HeldBack } from '../../domain/alerting/delivery.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { datedWindow, windowsWords, windowWords } from '../blocks/incident/window-words.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

const FIRST = mrkdwn`First digest: covers the hour before Notif started.`;

/** What a digest covers, a line each: from when to when events were checked, and what of it was not or could not be. */
export function coverageLines(content: DigestContent): Markup[] {
  return [joined(readFacts(content), ' · '), ...unreadLine(content.unread), ...(content.isFirst ? [FIRST] : [])];
}

const DAY_IS_SAID_MS = 12 * 60 * 60_000;

function readFacts({ covered, eventsRead, unreadable }: DigestContent): Markup[] {
  const missing = unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : [];
  return [...checkedWords(covered, plural(eventsRead, 'event')), ...missing];
}

/** A long poll alerts to what it has found before it ends, and has covered no time by then. */
function checkedWords(covered: TimeRange, events: Markup): Markup[] {
  const lengthMs = covered.to.getTime() - covered.from.getTime();
  if (lengthMs <= 0) return [mrkdwn`Checked ${events} since ${time(covered.from)}`, mrkdwn`the poll was still running`];
  return [mrkdwn`Checked ${lengthMs > DAY_IS_SAID_MS ? datedWindow(covered) : windowWords(covered)}`, events];
}

function unreadLine(unread: readonly TimeRange[]): Markup[] {
  return unread.length === 0 ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unread)}`];
}

/** Why a digest comes late on purpose. */
export function heldBackLine(heldBack: HeldBack | null): Markup[] {
  if (heldBack === null) return [];
  const { from, to, why } = heldBack;
  const range = mrkdwn`Held from ${time(from, 'day')} to ${time(to, 'time')}`;
  return [why === 'quiet' ? mrkdwn`🌙 ${range}: this watch was quiet` : mrkdwn`🔕 ${range}: this watch was muted`];
}
