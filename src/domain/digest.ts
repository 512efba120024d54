import type { VerdictCounts } from './failure.ts';

/** What a watch has not been told yet about an environment. */
export interface Untold {
  /** The keys of groups never announced to it, or whose announcement has ended, gravest first. */
  readonly groupKeys: readonly string[];
  /** Failures that are only counted, since the last digest. */
  readonly counted: VerdictCounts;
  readonly lastDigestAt: Date | null;
}

/** A digest that is due, with the groups it announces. */
export interface DigestPlan {
  readonly kind: 'new-groups' | 'counted-only';
  readonly groupKeys: readonly string[];
}

/** A digest without new groups comes at most once in this time to a watch. */
export const QUIET_DIGEST_EVERY_MS = 60 * 60_000;

/** An announced group's row counts on for this long; failures after that are announced anew. */
export const ANNOUNCEMENT_MS = 24 * 60 * 60_000;

/** At most one edit of a message in this time. */
export const EDIT_EVERY_MS = 30_000;

/** A digest has at most this many rows; the other groups are behind a button. */
export const DIGEST_ROWS = 10;

/**
 * Whether a watch is due a digest: at once when there are new groups; for what is only counted, with that digest or, when there is
 * none, once an hour.
 */
export function planDigest(untold: Untold, now: Date): DigestPlan | null {
  if (untold.groupKeys.length > 0) return { kind: 'new-groups', groupKeys: untold.groupKeys };
  const counted = Object.values(untold.counted).some((count) => count > 0);
  if (!counted) return null;
  const quietSince = untold.lastDigestAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - quietSince >= QUIET_DIGEST_EVERY_MS ? { kind: 'counted-only', groupKeys: [] } : null;
}
