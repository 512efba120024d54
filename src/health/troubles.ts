import { STORE_TROUBLES, type StoreTrouble } from '../lib/errors.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import { advice, type Finding, inChannel, problem } from './finding.ts';
import { MB } from './free-bytes.ts';
import type { StatusCtx, StoreAnswer } from './status.ts';
import { unreadableFindings } from './unreadable.ts';

/** Twice what the write-ahead log takes before it is truncated: below, a write can fail. */
const LEAST_FREE_BYTES = 200 * MB;
const HELD_UP_MS = 5 * MINUTE_MS;
const SEE_LOG = "Look for Slack's answer, Loop failed or Loop timed out in the log (docs/runbook.md).";
const CHECK_PAGER =
  'Check NOTIF_ALERTMANAGER_URL, which ends before /api/v2, its login or token, and the network. Slack alerts continue.';
const LET_IN = 'Unarchive the channel, /invite @Notif and let it post, or change NOTIF_DIGEST_CHANNEL.';
const EDIT_LET_IN = 'Unarchive the channel, or invite Notif. edit_window_closed: the workspace limits edits.';

type TroubleCtx = Pick<StatusCtx, 'isSlackConnected' | 'strangers' | 'behind' | 'lockTrouble'> & {
  slackCheck: Pick<StatusCtx['slackCheck'], 'trouble'>;
};

export function troublesOf(
  answer: StoreAnswer | StoreTrouble,
  ctx: TroubleCtx,
  freeBytes: number | null,
  at: Date,
): Finding[] {
  if (typeof answer === 'string') return runningTroubles(answer, ctx, freeBytes);
  return [...runningTroubles(answer.trouble, ctx, freeBytes), ...storedTroubles(answer, at)];
}

/** What this process knows by itself. */
function runningTroubles(
  trouble: StoreTrouble | null,
  { isSlackConnected, slackCheck, strangers, behind, lockTrouble }: TroubleCtx,
  freeBytes: number | null,
): Finding[] {
  const troubles: Finding[] = [];
  if (trouble !== null) {
    const { what, next } = STORE_TROUBLES[trouble];
    troubles.push(problem(`${what} No events are checked and no alerts sent.`, next));
  }
  const locks = lockTrouble();
  if (locks !== null) troubles.push(problem(locks.what, locks.next));
  if (freeBytes !== null && freeBytes < LEAST_FREE_BYTES) {
    const what = `The disk of the data folder is almost full: ${Math.floor(freeBytes / MB)} MB are left.`;
    troubles.push(problem(what, 'Free up space, or set a shorter NOTIF_RETENTION_DAYS.'));
  }
  const away = problem('Slack: not connected, reconnecting.', 'Alerts are sent once it is back.');
  if (!isSlackConnected()) troubles.push(slackCheck.trouble() ?? away);
  const stranger = strangers.trouble();
  if (stranger !== null) troubles.push(stranger);
  for (const { name, label } of behind())
    troubles.push(problem(`${label} are behind: ${name} has not succeeded lately.`, SEE_LOG));
  return troubles;
}

/** What the database says of stored data, the Alertmanager and messages. */
function storedTroubles(
  { backlog, blocked, refusals, pager, unreadable, unreached }: StoreAnswer,
  at: Date,
): Finding[] {
  const ageOf = (since: Date | null) => describeDuration(at.getTime() - (since ?? at).getTime());
  const troubles = [...unreadableFindings(unreadable)];
  if (pager !== null)
    troubles.push(
      problem(`Alertmanager has received no incidents for ${ageOf(pager.since)}: ${pager.why}.`, CHECK_PAGER),
    );
  if (at.getTime() - (backlog.oldestUnblocked ?? at).getTime() >= HELD_UP_MS)
    troubles.push(problem(`The oldest message has waited for ${ageOf(backlog.oldestUnblocked)}.`, SEE_LOG));
  for (const { channel, reason, messages, oldest } of blocked) {
    const waiting = `messages waiting: ${messages}, for ${ageOf(oldest)}.`;
    troubles.push(problem(`Notif can't post (${reason}); ${waiting}`, LET_IN, inChannel(channel)));
  }
  for (const { channel, reason } of refusals) {
    const what = `Slack refuses edits here (${reason}), so counts in posted messages don't update:`;
    troubles.push(advice(what, EDIT_LET_IN, inChannel(channel)));
  }
  return [...troubles, ...unreached];
}
