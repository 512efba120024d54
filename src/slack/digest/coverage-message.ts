import type { DigestContent, HeldBack } from '../../domain/delivery.ts';
import type { ReadingWindow } from '../../domain/reading.ts';
import { failedOf } from '../blocks/group-words.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { windowsWords, windowWords } from '../blocks/window-words.ts';

const FIRST = mrkdwn`First digest: covers the hour before Notif started.`;

/** What a digest covers, a line each: from when to when was read, what of it was not or could not be, and why it comes late. */
export function coverageLines(content: DigestContent): Markup[] {
  return [
    joined(readFacts(content), ' · '),
    ...unreadLine(content.unread),
    ...(content.isFirst ? [FIRST] : []),
    ...heldBackLine(content.heldBack),
  ];
}

function readFacts({ covered, eventsRead, failedEvents, unreadable }: DigestContent): Markup[] {
  const failed = failedEvents > 0 ? [failedOf(failedEvents, eventsRead)] : [];
  const missing = unreadable > 0 ? [mrkdwn`${unreadable} couldn't be read`] : [];
  return [windowWords(covered), mrkdwn`${plural(eventsRead, 'event')} checked`, ...failed, ...missing];
}

function unreadLine(unread: readonly ReadingWindow[]): Markup[] {
  return unread.length === 0 ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unread)}`];
}

function heldBackLine(heldBack: HeldBack | null): Markup[] {
  if (heldBack === null) return [];
  const { from, to, why } = heldBack;
  const span = mrkdwn`Held from ${time(from, 'day')} to ${time(to, 'time')}`;
  return [why === 'quiet' ? mrkdwn`🌙 ${span}: this watch was quiet` : mrkdwn`🔕 ${span}: this watch was muted`];
}
