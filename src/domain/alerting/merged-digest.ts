import { max, min } from 'date-fns';
import type { HeldBack, RowReason } from './delivery.ts';

/** What a pending digest covers, and what held it back. */
export interface WaitingDigest {
  readonly isFirst: boolean;
  readonly coveredFrom: Date;
  readonly coveredTo: Date;
  readonly events: number;
  readonly unreadable: number;
  readonly afterSeq: number;
  readonly toSeq: number;
  readonly heldBack: HeldBack | null;
}

/** An episode in a digest: the reason, and what the watch knows from this alert. */
export interface AnnouncedEpisode {
  readonly episodeId: number;
  readonly reason: RowReason;
  readonly at: Date;
  readonly failures: number;
  readonly seq: number;
  readonly relapses: number;
  readonly wasCritical: boolean;
  readonly missed: number | null;
  /** Whether the watch's filter has changed since, so that `failures` and `wasCritical` are of what it covered before. */
  readonly hasOtherFilter: boolean;
}

/** Merges digests of one watch and environment, the oldest first. Each covers the range after the previous one's. */
export function mergedDigest(first: WaitingDigest, later: readonly WaitingDigest[]): WaitingDigest {
  return later.reduce(
    (merged, next) => ({
      isFirst: merged.isFirst || next.isFirst,
      coveredFrom: min([merged.coveredFrom, next.coveredFrom]),
      coveredTo: max([merged.coveredTo, next.coveredTo]),
      events: merged.events + next.events,
      unreadable: merged.unreadable + next.unreadable,
      afterSeq: Math.min(merged.afterSeq, next.afterSeq),
      toSeq: Math.max(merged.toSeq, next.toSeq),
      heldBack: mergedHold(merged.heldBack, next.heldBack),
    }),
    first,
  );
}

/** Returns each episode once. One that several digests announce has the first's reason and the last's counts. */
export function mergedAnnouncements(oldestFirst: readonly AnnouncedEpisode[]): AnnouncedEpisode[] {
  const merged = new Map<number, AnnouncedEpisode>();
  for (const next of oldestFirst) {
    const known = merged.get(next.episodeId);
    merged.set(
      next.episodeId,
      known === undefined ? next : { ...next, reason: known.reason, missed: sum(known, next) },
    );
  }
  return [...merged.values()];
}

function sum(a: AnnouncedEpisode, b: AnnouncedEpisode): number | null {
  return a.missed === null && b.missed === null ? null : (a.missed ?? 0) + (b.missed ?? 0);
}

/** Of two kinds, names the first that held anything back. */
function mergedHold(first: HeldBack | null, next: HeldBack | null): HeldBack | null {
  if (first === null || next === null || first.why !== next.why) return first ?? next;
  return { why: first.why, from: min([first.from, next.from]), to: max([first.to, next.to]) };
}
