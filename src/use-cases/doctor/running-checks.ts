import type { BlockedChannel } from '../../domain/health/backlog.ts';
import { explainReading } from '../../domain/health/explain-reading.ts';
import { judgeHeartbeat, type LastHeartbeat } from '../../domain/health/heartbeat-report.ts';
import type { BehindLoop, ReadingCondition, Status, StoreStatus } from '../../domain/health/status.ts';
import { STORE_TROUBLES } from '../../domain/health/store-trouble.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import { reportStatus, type StatusParts } from '../health/report-status.ts';
import { advice, type Check, channels, type Finding, problem } from './check.ts';

export interface RunningChecksParts extends StatusParts {
  readonly store: StatusParts['store'] & {
    blockedChannels(): Promise<readonly BlockedChannel[]>;
    lastHeartbeat(): Promise<LastHeartbeat | null>;
  };
  readonly running: { readonly version: string; readonly startedAt: Date };
  readonly hasHeartbeat: boolean;
  readonly warnings: readonly { readonly variable: string; readonly warning: string }[];
}

export function runningChecks(parts: RunningChecksParts): Check[] {
  let asking: Promise<Status> | undefined;
  const status = () => {
    asking ??= reportStatus(parts);
    return asking;
  };
  return [
    { subject: 'Polling', look: async () => polling(await status()) },
    { subject: 'Messages', look: async () => messages(await status(), parts) },
    { subject: 'Database', look: async () => database(await status()) },
    { subject: 'Heartbeat', look: () => heartbeat(parts) },
    {
      subject: 'Settings',
      look: async () =>
        parts.warnings.map(({ variable, warning }) =>
          advice(`${variable} ${warning}.`, 'docs/configuration.md describes every variable.'),
        ),
    },
  ];
}

const WRONG: readonly ReadingCondition[] = ['failing', 'waits-for-store', 'silent', 'not-announced'];

function polling({ environments, at }: Status): Finding[] {
  return environments.flatMap((environment) => {
    const explained = explainReading(environment, at);
    if (explained === null) return [];
    const next = explained.next === '' ? 'It fixes itself: /notif status shows how far it is.' : explained.next;
    const finding = WRONG.includes(environment.condition) ? problem : advice;
    return [finding(`${environment.environment.label}: ${explained.what}`, next)];
  });
}

/** Slack takes a message it can accept within this time. */
const HELD_UP_MS = 5 * 60_000;

async function messages({ store, behind, at }: Status, parts: RunningChecksParts): Promise<Finding[]> {
  if (store === null) return [];
  const blocked = store.backlog.waiting === 0 ? [] : await parts.store.blockedChannels();
  const since = (time: Date | null) => describeDuration(at.getTime() - (time ?? at).getTime());
  return [
    ...stalled(store, behind, at),
    ...blocked.map(({ channel, reason, messages: count, oldest }) =>
      problem(
        `${BLOCKS[reason].why}, for ${since(oldest)}; messages that wait: ${count}.`,
        `${BLOCKS[reason].next}, or set another channel in NOTIF_DIGEST_CHANNEL. Notif goes on trying.`,
        // The recipient of a direct message is no channel.
        channels(/^[CG]/.test(channel) ? [channel] : []),
      ),
    ),
    ...store.editRefusals.map(({ channel, reason }) =>
      advice(
        `Slack refuses edits here (${reason}), so counts in posted messages don't update:`,
        'Unarchive the channel, or invite Notif there. edit_window_closed: the workspace limits how long messages can be edited.',
        channels([channel]),
      ),
    ),
  ];
}

function stalled(store: StoreStatus, behind: readonly BehindLoop[], at: Date): Finding[] {
  if (store.trouble !== null) return [];
  const { oldestHeldUp } = store.backlog;
  const heldUpMs = oldestHeldUp === null ? 0 : at.getTime() - oldestHeldUp.getTime();
  return [
    ...(heldUpMs < HELD_UP_MS ? [] : [problem(`The oldest message waits for ${describeDuration(heldUpMs)}.`, SEE_LOG)]),
    ...behind.map(({ name, delays }) => problem(`${delays} are behind: ${name} has not succeeded lately.`, SEE_LOG)),
  ];
}

const SEE_LOG =
  'Look for message not posted, Loop failed or Loop timed out in the log; docs/runbook.md says what to do.';

const BLOCKS: Readonly<Record<WatchEnd, { readonly why: string; readonly next: string }>> = {
  'channel-archived': { why: 'The channel is archived', next: 'Unarchive it' },
  'channel-left': { why: "Notif isn't in the channel", next: 'Run /invite @Notif there' },
  'channel-unknown': { why: "Slack doesn't know the channel, or Notif isn't in it", next: 'Run /invite @Notif there' },
  'channel-restricted': { why: "The channel's posting permissions keep Notif out", next: 'Let Notif post there' },
};

/** A statement normally takes a few milliseconds. */
const SLOW_MS = 1_000;

function database({ store }: Status): Finding[] {
  const effect = 'No events are checked and no alerts sent.';
  if (store === null) return [problem(`It isn't responding. ${effect}`, STORE_TROUBLES['not-answering'].next)];
  if (store.trouble !== null) {
    const { what, next } = STORE_TROUBLES[store.trouble];
    return [problem(`${what} ${effect}`, next)];
  }
  if (store.answeredInMs < SLOW_MS) return [];
  return [advice(`It took ${store.answeredInMs} ms to answer.`, 'See what keeps its machine busy.')];
}

async function heartbeat({ hasHeartbeat, store, pollMs, running, now }: RunningChecksParts): Promise<Finding[]> {
  if (!hasHeartbeat) {
    const next = "Set it to the address of a dead man's switch that raises an alarm when the calls stop.";
    return [advice("Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.", next)];
  }
  const trouble = judgeHeartbeat(await store.lastHeartbeat(), { pollMs, startedAt: running.startedAt }, now());
  return trouble === null ? [] : [problem(trouble.what, trouble.next)];
}
