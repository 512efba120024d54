import type { MutedChannel, OpenSeverity, Outstanding } from '../incidents/outstanding.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Backlog } from './backlog.ts';
import type { BehindLoop, EnvironmentStatus, ReadingCondition, Status } from './status.ts';
import type { StoreTrouble } from './store-trouble.ts';

/** Why it isn't known whether everything has been checked and alerted in time. */
export type UncheckedReason =
  | { readonly is: 'reading'; readonly environment: string; readonly condition: Exclude<ReadingCondition, 'fine'> }
  | { readonly is: 'windows'; readonly environment: string; readonly windows: readonly TimeRange[] }
  | { readonly is: 'unreadable'; readonly environment: string; readonly events: number }
  | { readonly is: 'no-environment' }
  | { readonly is: 'check-failed'; readonly environment: string }
  | { readonly is: 'slack-away' }
  | { readonly is: 'behind'; readonly loop: BehindLoop }
  | { readonly is: 'store'; readonly trouble: StoreTrouble };

export interface HeadlineFacts extends Outstanding {
  readonly pending: { readonly messages: number; readonly oldestAgeMs: number; readonly isOnlyChannels: boolean };
  readonly unchecked: readonly UncheckedReason[];
  readonly stillChecking: readonly string[];
}

export type HeadlinePoint =
  | { readonly point: 'database-away' }
  | { readonly point: 'failing'; readonly incidents: number; readonly bySeverity: readonly SeverityCount[] }
  | { readonly point: 'quiet'; readonly incidents: number }
  | { readonly point: 'muted'; readonly channels: readonly MutedChannel[]; readonly incidents: number }
  | ({ readonly point: 'pending' } & HeadlineFacts['pending'])
  | { readonly point: 'unchecked'; readonly reasons: readonly UncheckedReason[] }
  | { readonly point: 'still-checking'; readonly environments: readonly string[] };

export interface SeverityCount {
  readonly severity: OpenSeverity;
  readonly incidents: number;
}

export type Headline = readonly HeadlinePoint[];

/** Orders the points as somebody on call acts on them: open incidents by severity, mutes, pending messages, then what is unchecked. */
export function headlineOf({
  open,
  mutes,
  mutedIncidents,
  pending,
  unchecked,
  stillChecking,
}: HeadlineFacts): Headline {
  const failing = open.flatMap(({ severity, failing: incidents }) => (incidents > 0 ? [{ severity, incidents }] : []));
  const quiet = open.reduce((total, one) => total + one.quiet, 0);
  const points: (HeadlinePoint | null)[] = [
    failing.length > 0 ? { point: 'failing', incidents: total(failing), bySeverity: failing } : null,
    quiet > 0 ? { point: 'quiet', incidents: quiet } : null,
    mutes.length > 0 || mutedIncidents > 0 ? { point: 'muted', channels: mutes, incidents: mutedIncidents } : null,
    pending.messages > 0 ? { point: 'pending', ...pending } : null,
    unchecked.length > 0 ? { point: 'unchecked', reasons: unchecked } : null,
    stillChecking.length > 0 ? { point: 'still-checking', environments: stillChecking } : null,
  ];
  return points.filter((point) => point !== null);
}

export function statusHeadline({ environments, slack, store, behind, at }: Status): Headline {
  const unconnected: UncheckedReason[] = slack.isConnected ? [] : [{ is: 'slack-away' }];
  if (store === null) {
    const away = { point: 'database-away' } as const;
    return unconnected.length === 0 ? [away] : [away, { point: 'unchecked', reasons: unconnected }];
  }
  const { backlog, trouble, outstanding } = store;
  return headlineOf({
    ...outstanding,
    pending: pendingOf(backlog, at),
    unchecked: [
      ...(trouble === null ? [] : [{ is: 'store', trouble } as const]),
      ...environments.flatMap(readingTrouble),
      ...unconnected,
      ...behind.map((loop) => ({ is: 'behind', loop }) as const),
    ],
    stillChecking: environments.filter(isStillChecking).map(({ environment }) => environment.name),
  });
}

export function pendingOf({ waiting, oldest, oldestHeldUp }: Backlog, at: Date): HeadlineFacts['pending'] {
  return {
    messages: waiting,
    oldestAgeMs: oldest === null ? 0 : at.getTime() - oldest.getTime(),
    isOnlyChannels: waiting > 0 && oldestHeldUp === null,
  };
}

/** A failed check is named if nothing else says what is wrong: it may have failed for a reason of Notif's own. */
function readingTrouble({ environment, condition, check }: EnvironmentStatus): UncheckedReason[] {
  if (condition !== 'fine') return [{ is: 'reading', environment: environment.name, condition }];
  return check === 'failed' ? [{ is: 'check-failed', environment: environment.name }] : [];
}

function isStillChecking({ check }: EnvironmentStatus): boolean {
  return check === 'still checking';
}

function total(counts: readonly SeverityCount[]): number {
  return counts.reduce((sum, { incidents }) => sum + incidents, 0);
}
