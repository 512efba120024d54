import type { DiskReport } from '../../domain/disk-space.ts';
import { describeDuration } from '../../domain/span.ts';
import type { Status, StoreStatus } from '../../domain/status.ts';
import { STORE_TROUBLES } from '../../domain/store-trouble.ts';
import { badge } from './badge.ts';
import { isUnchecked, isWrong, READING_WORDS } from './reading-lines.ts';
import { channelLink, code, joined, type Markup, mrkdwn, plural } from './text.ts';
import { time } from './times.ts';

/** A message that has waited for longer is worth the first line. */
const LONG_WAIT_MS = 60_000;

/** Whether all is well and, where it is not, what is wrong. */
export function statusHeadline(status: Status): Markup {
  const wrong = troubles(status);
  if (wrong.length > 0) return mrkdwn`⚠️ *Not all is well:* ${joined(wrong, ' · ')}`;
  const unchecked = status.environments.filter(isUnchecked).map(({ environment }) => badge(environment));
  return unchecked.length === 0
    ? mrkdwn`✅ *All is read, and all is told*`
    : mrkdwn`⚪ *No known problems* · still being checked: ${joined(unchecked, ', ')}`;
}

/** What is wrong, each in a few words. */
function troubles({ environments, slack, store, at }: Status): Markup[] {
  const unread = environments
    .filter(({ condition }) => isWrong(condition))
    .map(({ environment, condition }) => mrkdwn`${badge(environment)} ${READING_WORDS[condition]}`);
  const unconnected = slack.isConnected ? [] : [mrkdwn`no connection to Slack`];
  if (store === null) return [mrkdwn`the database does not answer`, ...unconnected];
  const full = store.trouble === null ? [] : [mrkdwn`${STORE_TROUBLES[store.trouble].what.replace(/\.$/, '')}`];
  const { oldest } = store.backlog;
  const waits = oldest !== null && at.getTime() - oldest.getTime() > LONG_WAIT_MS ? [backlogWords(store, at)] : [];
  const stalled = store.delivery.isInTime ? [] : [mrkdwn`delivery stalled`];
  return [...full, ...unread, ...unconnected, ...waits, ...stalled];
}

/** A line each of Slack, of what waits to be told, of the database and of Notif itself. */
export function statusLines(status: Status): Markup[] {
  const { store, running, at } = status;
  const started = mrkdwn`since ${time(running.startedAt, 'day')} (${describeDuration(at.getTime() - running.startedAt.getTime())})`;
  const alone = store === null || store.replicas === 1 ? [] : [mrkdwn`${plural(store.replicas, 'replica')}`];
  return [
    slackLine(status),
    ...storeLines(store, at),
    joined([mrkdwn`Notif ${running.version} ${started}`, ...alone], ' · '),
  ];
}

function slackLine({ slack: { isConnected, lastTrouble }, at }: Status): Markup {
  const connected = isConnected ? mrkdwn`Slack: connected` : mrkdwn`⚠️ Slack: not connected, trying again`;
  if (lastTrouble === null) return mrkdwn`${connected} · no call has failed`;
  const { method, word } = lastTrouble;
  const when = describeDuration(at.getTime() - lastTrouble.at.getTime());
  return mrkdwn`${connected} · last call that failed: ${code(method)} with ${code(word)}, ${when} ago${slackHint(word)}`;
}

/** What to make of Slack's word, where it says little by itself. */
function slackHint(word: string): string {
  if (word === 'rate_limited') return ': Slack asked to slow down, and Notif waits';
  if (word === 'timed_out' || word === 'unreachable' || word.startsWith('http_')) return ': it is tried again';
  return '';
}

function storeLines(store: StoreStatus | null, at: Date): Markup[] {
  if (store === null) {
    return [
      mrkdwn`⚠️ Database: does not answer, so nothing is read or told. Next: see that it runs; the log says more.`,
    ];
  }
  const kind = store.kind === 'server' ? 'PostgreSQL server' : 'embedded';
  return [
    mrkdwn`Messages: ${backlogWords(store, at)}${deliveryWords(store, at)}`,
    ...(store.editRefusals.length === 0 ? [] : [editRefusalsLine(store)]),
    mrkdwn`Database: ${kind}, answers in ${store.answeredInMs} ms`,
    ...(store.disk === null ? [] : [diskLine(store.disk)]),
  ];
}

const MOST_REFUSALS = 5;

function editRefusalsLine({ editRefusals }: StoreStatus): Markup {
  const channels = editRefusals
    .slice(0, MOST_REFUSALS)
    .map(({ channel, reason }) => mrkdwn`${channelLink(channel)} (${code(reason)})`);
  const left = editRefusals.length - channels.length;
  const more = left === 0 ? mrkdwn`` : mrkdwn` and ${plural(left, 'channel')} more`;
  return mrkdwn`⚠️ Slack refuses edits in ${joined(channels, ', ')}${more}: counts in posted messages don't update there`;
}

/** Where no delivery run has ended well lately. */
function deliveryWords({ delivery: { isInTime, lastSuccessAt } }: StoreStatus, at: Date): Markup {
  if (isInTime) return mrkdwn``;
  if (lastSuccessAt === null) return mrkdwn` · ⚠️ delivery has not succeeded yet`;
  return mrkdwn` · ⚠️ delivery stalled, last success ${describeDuration(at.getTime() - lastSuccessAt.getTime())} ago`;
}

function diskLine({ level, freeBytes, totalBytes }: DiskReport): Markup {
  const room = mrkdwn`${gigabytes(freeBytes)} free of ${gigabytes(totalBytes)}`;
  if (level === 'ample') return mrkdwn`Disk: ${room}`;
  const meaning = level === 'low' ? 'Records are kept half as long.' : 'Nothing new is stored.';
  return mrkdwn`⚠️ Disk: ${room}. ${meaning} Next: free up space on the disk of NOTIF_DATA_DIR.`;
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

function backlogWords({ backlog }: StoreStatus, at: Date): Markup {
  if (backlog.oldest === null) return mrkdwn`none waits`;
  const age = describeDuration(at.getTime() - backlog.oldest.getTime());
  const words = backlog.waiting === 1 ? mrkdwn`1 message waits` : mrkdwn`${backlog.waiting} messages wait`;
  const mend = backlog.oldestHeldUp === null ? ', for their channels to be mended' : '';
  return mrkdwn`${words}, the oldest for ${age}${mend}`;
}
