import type { BehindLoop, Status, StoreStatus } from '../../../health/situation.ts';
import { MINUTE_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { channelLink, code, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { ago } from './reading-lines.ts';

/** What is wrong apart from environments, and which Notif this is. */
export function statusLines(status: Status): Markup[] {
  const { store, behind, running, at } = status;
  const started = mrkdwn`since ${time(running.startedAt, 'day')} (${describeDuration(at.getTime() - running.startedAt.getTime())})`;
  const alone = store === null || store.replicas === 1 ? [] : [mrkdwn`${plural(store.replicas, 'replica')}`];
  return [
    ...slackLines(status),
    ...behind.map(behindLine),
    ...(store === null ? [DATABASE_AWAY] : editRefusalLines(store)),
    joined([mrkdwn`Notif ${running.version} ${started}`, ...alone], ' · '),
  ];
}

const DATABASE_AWAY = mrkdwn`⚠️ Database: not responding. No events are checked and no alerts sent. Next: check that it runs; see the log for details.`;

function slackLines({ slack: { isConnected, lastTrouble }, at }: Status): Markup[] {
  const away = isConnected ? [] : [mrkdwn`⚠️ Slack: not connected, reconnecting`];
  if (lastTrouble === null) return away;
  const { method, word } = lastTrouble;
  const hint = slackHint(word, at.getTime() - lastTrouble.at.getTime());
  return [...away, mrkdwn`Slack: last failed call: ${code(method)} (${code(word)}), ${ago(lastTrouble.at, at)}${hint}`];
}

/** A call is repeated within this time. */
const RETRIED_WITHIN_MS = 2 * MINUTE_MS;

function slackHint(word: string, ageMs: number): string {
  if (ageMs > RETRIED_WITHIN_MS) return '';
  if (word === 'rate_limited') return '; backing off';
  if (word === 'timed_out' || word === 'unreachable' || word.startsWith('http_')) return '; retrying';
  return '';
}

const MOST_REFUSALS = 5;

function editRefusalLines({ editRefusals }: StoreStatus): Markup[] {
  if (editRefusals.length === 0) return [];
  const channels = editRefusals.map(({ channel, reason }) => mrkdwn`${channelLink(channel)} (${code(reason)})`);
  const left = channels.length - MOST_REFUSALS;
  const more = left <= 0 ? mrkdwn`` : mrkdwn` and ${plural(left, 'more channel')}`;
  const where = mrkdwn`${joined(channels.slice(0, MOST_REFUSALS), ', ')}${more}`;
  return [mrkdwn`⚠️ Slack refuses edits in ${where}: counts in posted messages don't update there`];
}

function behindLine({ name, delays, lastSuccessAt }: BehindLoop): Markup {
  const last = lastSuccessAt === null ? 'has not succeeded yet' : mrkdwn`last succeeded ${time(lastSuccessAt)}`;
  return mrkdwn`⚠️ ${delays} are behind: ${code(name)} ${last}. Look for ${code('Loop failed')} or ${code('Loop timed out')} in the log, then restart Notif.`;
}
