import { pendingOf } from '../../../domain/health/headline.ts';
import type { BehindLoop, Status, StoreStatus } from '../../../domain/health/status.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { channelLink, code, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { pendingWords } from './headline-words.ts';
import { ago } from './reading-lines.ts';

export function statusLines(status: Status): Markup[] {
  const { store, running, at } = status;
  const started = mrkdwn`since ${time(running.startedAt, 'day')} (${describeDuration(at.getTime() - running.startedAt.getTime())})`;
  const alone = store === null || store.replicas === 1 ? [] : [mrkdwn`${plural(store.replicas, 'replica')}`];
  return [
    slackLine(status),
    ...status.behind.map(behindLine),
    ...storeLines(store, at),
    joined([mrkdwn`Notif ${running.version} ${started}`, ...alone], ' · '),
  ];
}

function slackLine({ slack: { isConnected, lastTrouble }, at }: Status): Markup {
  const connected = isConnected ? mrkdwn`Slack: connected` : mrkdwn`⚠️ Slack: not connected, reconnecting`;
  if (lastTrouble === null) return mrkdwn`${connected} · no failing API calls`;
  const { method, word } = lastTrouble;
  const age = at.getTime() - lastTrouble.at.getTime();
  const hint = slackHint(word, age);
  return mrkdwn`${connected} · last failed call: ${code(method)} (${code(word)}), ${ago(lastTrouble.at, at)}${hint}`;
}

/** A call is repeated within this time. */
const RETRIED_WITHIN_MS = 2 * MINUTE_MS;

function slackHint(word: string, ageMs: number): string {
  if (ageMs > RETRIED_WITHIN_MS) return '';
  if (word === 'rate_limited') return '; backing off';
  if (word === 'timed_out' || word === 'unreachable' || word.startsWith('http_')) return '; retrying';
  return '';
}

function storeLines(store: StoreStatus | null, at: Date): Markup[] {
  if (store === null) {
    return [
      mrkdwn`⚠️ Database: not responding. No events are checked and no alerts sent. Next: check that it runs; see the log for details.`,
    ];
  }
  const kind = store.kind === 'server' ? 'PostgreSQL server' : 'embedded';
  return [
    mrkdwn`Messages: ${backlogWords(store, at)}`,
    ...(store.editRefusals.length === 0 ? [] : [editRefusalsLine(store)]),
    mrkdwn`Database: ${kind}, answers in ${store.answeredInMs} ms`,
  ];
}

const MOST_REFUSALS = 5;

function editRefusalsLine({ editRefusals }: StoreStatus): Markup {
  const channels = editRefusals
    .slice(0, MOST_REFUSALS)
    .map(({ channel, reason }) => mrkdwn`${channelLink(channel)} (${code(reason)})`);
  const left = editRefusals.length - channels.length;
  const more = left === 0 ? mrkdwn`` : mrkdwn` and ${plural(left, 'more channel')}`;
  return mrkdwn`⚠️ Slack refuses edits in ${joined(channels, ', ')}${more}: counts in posted messages don't update there`;
}

function behindLine({ name, delays, lastSuccessAt }: BehindLoop): Markup {
  const last = lastSuccessAt === null ? 'has not succeeded yet' : mrkdwn`last succeeded ${time(lastSuccessAt)}`;
  return mrkdwn`⚠️ ${delays} are behind: ${code(name)} ${last}. Look for ${code('Loop failed')} or ${code('Loop timed out')} in the log, then restart Notif.`;
}

function backlogWords({ backlog }: StoreStatus, at: Date): Markup {
  return backlog.waiting === 0 ? mrkdwn`none pending` : pendingWords(pendingOf(backlog, at));
}
