import { LONGEST_RETRY_MS } from '../../domain/alerting/pace.ts';
import type { BlockedChannel } from '../../domain/health/backlog.ts';
import { type CheckResult, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import type { Status, StoreStatus } from '../../domain/health/status.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { WatchEnd } from '../../domain/watches/watch.ts';

/** Slack takes a message it can accept within this time. */
const HELD_UP_MS = 5 * 60_000;

/** Checks that messages are delivered: delivery itself, those that are held up, and those that their channel blocks. */
export async function messageResults(
  { store, at }: Status,
  parts: { readonly store: { blockedChannels(): Promise<readonly BlockedChannel[]> } },
): Promise<CheckResult[]> {
  if (store === null) return [];
  const { waiting } = store.backlog;
  const blocked = waiting === 0 ? [] : await parts.store.blockedChannels();
  const problems = [
    ...(store.delivery.isInTime ? [] : [stalled(store, at)]),
    ...heldUp(store, blocked, at),
    ...blocked.map((one) => blockedResult(one, at)),
  ];
  if (problems.length > 0) return problems;
  return [fine('Messages', waiting === 0 ? 'None pending.' : `${counted(waiting, 'message')} on the way.`)];
}

function stalled({ delivery: { lastSuccessAt }, trouble }: StoreStatus, at: Date): CheckResult {
  if (trouble !== null) {
    return checkResult('problem', 'Messages', {
      what: 'Delivery waits for the database.',
      next: 'It resumes by itself once the database accepts changes.',
    });
  }
  const what =
    lastSuccessAt === null
      ? 'Delivery has not succeeded yet.'
      : `Delivery has stalled: the last run without an error ended ${describeDuration(at.getTime() - lastSuccessAt.getTime())} ago.`;
  return checkResult('problem', 'Messages', {
    what,
    next: 'If it persists, look for job failed or job cut off with deliver in the log, then restart Notif: it posts what is pending, once.',
  });
}

function heldUp({ backlog }: StoreStatus, blocked: readonly BlockedChannel[], at: Date): CheckResult[] {
  const { waiting, oldestHeldUp } = backlog;
  const ageMs = oldestHeldUp === null ? 0 : at.getTime() - oldestHeldUp.getTime();
  if (ageMs < HELD_UP_MS) return [];
  const count = waiting - blocked.reduce((sum, { messages }) => sum + messages, 0);
  return [
    checkResult('problem', 'Messages', {
      what: `${counted(Math.max(1, count), 'message')} not posted yet, the oldest for ${describeDuration(ageMs)}.`,
      next: 'Look for message not posted in the log: it has the reason that Slack gave, and docs/runbook.md what to do about it.',
    }),
  ];
}

function blockedResult({ channel, reason, messages, oldest }: BlockedChannel, at: Date): CheckResult {
  const { why, next } = BLOCKS[reason];
  return checkResult('problem', 'Messages', {
    what: `${counted(messages, 'message')} not posted for ${describeDuration(at.getTime() - oldest.getTime())}: ${why}.`,
    // The recipient of a direct message is no channel.
    about: /^[CG]/.test(channel) ? [{ kind: 'channel', id: channel }] : [],
    next: `${next}, or set another channel in NOTIF_DIGEST_CHANNEL. Notif tries again every ${describeDuration(LONGEST_RETRY_MS)}.`,
  });
}

const BLOCKS: Readonly<Record<WatchEnd, { readonly why: string; readonly next: string }>> = {
  'channel-archived': { why: 'the channel is archived', next: 'Unarchive it' },
  'channel-left': { why: "Notif isn't in the channel", next: 'Run /invite @Notif there' },
  'channel-unknown': {
    why: "Slack doesn't know the channel, or it is private and Notif isn't in it",
    next: 'Run /invite @Notif there',
  },
  'channel-restricted': { why: "the channel's posting permissions keep Notif out", next: 'Let Notif post there' },
};
