import type { TimeRange } from '../lib/time/time-range.ts';
import type { Backlog } from './backlog.ts';
import type { Outstanding } from './outstanding.ts';
import type { BehindLoop, EnvironmentStatus, ReadingCondition, Status } from './situation.ts';
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

export interface Headline extends Outstanding {
  readonly pending: { readonly messages: number; readonly oldestAgeMs: number; readonly isOnlyChannels: boolean };
  readonly unchecked: readonly UncheckedReason[];
  readonly stillChecking: readonly string[];
}

const NOTHING_PENDING: Headline['pending'] = { messages: 0, oldestAgeMs: 0, isOnlyChannels: false };

export function statusHeadline({ environments, slack, store, behind, at }: Status): Headline {
  const unconnected: UncheckedReason[] = slack.isConnected ? [] : [{ is: 'slack-away' }];
  if (store === null) {
    const unchecked = [{ is: 'store', trouble: 'not-answering' } as const, ...unconnected];
    return { open: [], mutes: [], mutedIncidents: 0, pending: NOTHING_PENDING, unchecked, stillChecking: [] };
  }
  const { backlog, trouble, outstanding } = store;
  return {
    ...outstanding,
    pending: pendingOf(backlog, at),
    unchecked: [
      ...(trouble === null ? [] : [{ is: 'store', trouble } as const]),
      ...environments.flatMap(readingTrouble),
      ...unconnected,
      ...behind.map((loop) => ({ is: 'behind', loop }) as const),
    ],
    stillChecking: environments.flatMap(({ environment, check }) =>
      check === 'still checking' ? [environment.name] : [],
    ),
  };
}

export function pendingOf({ waiting, oldest, oldestHeldUp }: Backlog, at: Date): Headline['pending'] {
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
