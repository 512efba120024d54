import type { MutedChannel, OpenSeverity, Outstanding } from '../incidents/outstanding.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Backlog } from './backlog.ts';
import type { EnvironmentStatus, ReadingCondition, Status } from './status.ts';
import type { StoreTrouble } from './store-trouble.ts';

/** Why it isn't known, or not in time, whether everything has been checked and alerted to. */
export type Unchecked =
  | { readonly is: 'reading'; readonly environment: string; readonly condition: Exclude<ReadingCondition, 'fine'> }
  | { readonly is: 'windows'; readonly environment: string; readonly windows: readonly TimeRange[] }
  | { readonly is: 'slack-away' }
  | { readonly is: 'delivery-stalled' }
  | { readonly is: 'store'; readonly trouble: StoreTrouble };

/** All that the headline of Home, `/notif status` and a daily summary depends on. */
export interface HeadlineFacts extends Outstanding {
  readonly pending: { readonly messages: number; readonly oldestAgeMs: number; readonly isOnlyChannels: boolean };
  readonly unchecked: readonly Unchecked[];
  /** The environments whose check for this report hasn't finished. */
  readonly stillChecking: readonly string[];
}

/** One thing that matters, in a headline. Environments are by name. */
export type HeadlinePoint =
  | { readonly point: 'database-away' }
  | { readonly point: 'failing'; readonly groups: number; readonly bySeverity: readonly SeverityCount[] }
  | { readonly point: 'quiet'; readonly groups: number }
  | { readonly point: 'muted'; readonly channels: readonly MutedChannel[]; readonly groups: number }
  | ({ readonly point: 'pending' } & HeadlineFacts['pending'])
  | { readonly point: 'unchecked'; readonly reasons: readonly Unchecked[] }
  | { readonly point: 'still-checking'; readonly environments: readonly string[] };

export interface SeverityCount {
  readonly severity: OpenSeverity;
  readonly groups: number;
}

/** What matters, the most urgent first. Empty only where nothing is open, muted, pending or unchecked. */
export type Headline = readonly HeadlinePoint[];

/**
 * What is open by severity, then what is muted, then messages that are pending, then whether everything is checked: somebody on call acts
 * in this order.
 */
export function headlineOf({ open, mutes, mutedGroups, pending, unchecked, stillChecking }: HeadlineFacts): Headline {
  const failing = open.flatMap(({ severity, failing: groups }) => (groups > 0 ? [{ severity, groups }] : []));
  const quiet = open.reduce((total, one) => total + one.quiet, 0);
  const points: (HeadlinePoint | null)[] = [
    failing.length > 0 ? { point: 'failing', groups: total(failing), bySeverity: failing } : null,
    quiet > 0 ? { point: 'quiet', groups: quiet } : null,
    mutes.length > 0 || mutedGroups > 0 ? { point: 'muted', channels: mutes, groups: mutedGroups } : null,
    pending.messages > 0 ? { point: 'pending', ...pending } : null,
    unchecked.length > 0 ? { point: 'unchecked', reasons: unchecked } : null,
    stillChecking.length > 0 ? { point: 'still-checking', environments: stillChecking } : null,
  ];
  return points.filter((point) => point !== null);
}

/** The headline of a report on everything; all that is known without the database is that it doesn't respond. */
export function statusHeadline({ environments, slack, store, at }: Status): Headline {
  const unconnected: Unchecked[] = slack.isConnected ? [] : [{ is: 'slack-away' }];
  if (store === null) {
    const away = { point: 'database-away' } as const;
    return unconnected.length === 0 ? [away] : [away, { point: 'unchecked', reasons: unconnected }];
  }
  const { backlog, delivery, trouble, outstanding } = store;
  return headlineOf({
    ...outstanding,
    pending: pendingOf(backlog, at),
    unchecked: [
      ...(trouble === null ? [] : [{ is: 'store', trouble } as const]),
      ...environments.flatMap(readingTrouble),
      ...unconnected,
      ...(delivery.isInTime ? [] : [{ is: 'delivery-stalled' } as const]),
    ],
    stillChecking: environments.filter(isStillChecking).map(({ environment }) => environment.name),
  });
}

/** What a headline says of messages that Slack hasn't taken yet. */
export function pendingOf({ waiting, oldest, oldestHeldUp }: Backlog, at: Date): HeadlineFacts['pending'] {
  return {
    messages: waiting,
    oldestAgeMs: oldest === null ? 0 : at.getTime() - oldest.getTime(),
    isOnlyChannels: waiting > 0 && oldestHeldUp === null,
  };
}

function readingTrouble({ environment, condition }: EnvironmentStatus): Unchecked[] {
  return condition === 'fine' ? [] : [{ is: 'reading', environment: environment.name, condition }];
}

/** Whether the check for this report hasn't finished: what is said of it is as of an earlier one. */
export function isStillChecking({ check }: EnvironmentStatus): boolean {
  return check !== null && check !== 'checked';
}

function total(counts: readonly SeverityCount[]): number {
  return counts.reduce((sum, { groups }) => sum + groups, 0);
}
