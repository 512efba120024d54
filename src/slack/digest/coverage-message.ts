import type { DigestContent, HeldBack } from '../../domain/alerting/delivery.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { windowNear, windowsWords } from '../blocks/incident/window-words.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

const FIRST = mrkdwn`First digest: covers the hour before Notif started.`;

export function coverageLines(content: DigestContent): Markup[] {
  return [joined(checkedFacts(content), ' · '), ...uncheckedLine(content), ...(content.isFirst ? [FIRST] : [])];
}

function checkedFacts({ covered, eventsChecked, unreadable }: DigestContent): Markup[] {
  const missing = unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : [];
  return [...checkedWords(covered, plural(eventsChecked, 'event')), ...missing];
}

/** A long poll alerts before it ends, and hasn't covered any time by then. */
function checkedWords(covered: TimeRange, events: Markup): Markup[] {
  const lengthMs = covered.to.getTime() - covered.from.getTime();
  if (lengthMs <= 0) return [mrkdwn`Checked ${events} since ${time(covered.from)}`, mrkdwn`the poll was still running`];
  return [mrkdwn`Checked ${windowNear(covered.to)(covered)}`, events];
}

function uncheckedLine({ unchecked, covered }: DigestContent): Markup[] {
  return unchecked.length === 0 ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, windowNear(covered.to))}`];
}

export function heldBackLine(heldBack: HeldBack | null): Markup[] {
  if (heldBack === null) return [];
  const { from, to, why } = heldBack;
  const range = mrkdwn`Held from ${time(from, 'day')} to ${time(to, 'time')}`;
  return [why === 'quiet' ? mrkdwn`🌙 ${range} (quiet hours)` : mrkdwn`🔕 ${range} (muted)`];
}
