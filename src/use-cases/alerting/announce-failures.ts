import { holdReasonOf } from '../../domain/alerting/alert-decision.ts';
import { type Announcing, type Plan, planDigest } from '../../domain/alerting/digest.ts';
import type { Mute } from '../../domain/incidents/episode.ts';
import type { Logger } from '../../domain/logger.ts';
import { type Gap, isWorthReporting } from '../../domain/polling/gap.ts';
import type { Watch } from '../../domain/watches/watch.ts';

/** A gap that was not announced in a channel, and the watch that would announce it. */
export interface UnannouncedGap {
  readonly gap: Gap;
  readonly watch: Watch;
  /** The last mute of the whole watch, running or not. */
  readonly mute: Mute | null;
}

export interface AnnouncingStore {
  /** Writes down which incidents of an environment have recovered, are resolved or quiet by `now`, and has them drawn as such. */
  settleIncidents(environment: string, now: Date): Promise<void>;
  /** Has the messages drawn again that show a mute which ran out since they were drawn. */
  redrawAfterMutes(now: Date): Promise<void>;
  /**
   * For each watch, in one transaction: reads what it may have to be alerted to in an environment, asks `plan`, and writes the message that it
   * names with its announcements, to be delivered, and what is kept for later. Returns the ids of the messages written.
   */
  announce(environment: string, plan: (announcing: Announcing) => Plan, now: Date): Promise<string[]>;
  /**
   * Writes a message for each gap and channel in which it was not announced, where `isDue` says so, and has those drawn again whose gap has
   * changed. Returns the ids of the messages written.
   */
  announceGaps(environment: string, isDue: (untold: UnannouncedGap) => boolean, now: Date): Promise<string[]>;
  /**
   * Writes a message for each channel in which a watch shows changes and some are unseen, where `isDue` says so of the watch that would
   * write it. Returns the ids of the messages written.
   */
  announceChanges(environment: string, isDue: (speaker: ChangesSpeaker) => boolean, now: Date): Promise<string[]>;
}

/** A watch that would show changes, and its last mute, running or not. */
export type ChangesSpeaker = Pick<UnannouncedGap, 'watch' | 'mute'>;

/** Decides what is to be said to every watch about an environment, and writes it down to be delivered. Returns the ids of the messages. */
export async function announceFailures(
  environment: string,
  parts: { readonly store: AnnouncingStore; readonly logger: Logger; readonly now: () => Date },
): Promise<string[]> {
  const { store, logger } = parts;
  const now = parts.now();
  await store.settleIncidents(environment, now);
  await store.redrawAfterMutes(now);
  const digestIds = await store.announce(environment, (announcing) => planDigest(announcing, now), now);
  for (const digestId of digestIds) logger.info({ environment, digestId }, 'digest written');
  const gapIds = await store.announceGaps(environment, (untold) => isDue(untold, now), now);
  for (const digestId of gapIds) logger.info({ environment, digestId }, 'notice of a gap written');
  const changesIds = await store.announceChanges(environment, (speaker) => isOpen(speaker, now), now);
  for (const digestId of changesIds) logger.info({ environment, digestId }, 'message about changes written');
  return [...digestIds, ...gapIds, ...changesIds];
}

function isDue({ gap, watch, mute }: UnannouncedGap, now: Date): boolean {
  return isWorthReporting(gap, now) && isOpen({ watch, mute }, now);
}

/** Neither quiet hours nor a mute keep anything from it. */
function isOpen({ watch, mute }: ChangesSpeaker, now: Date): boolean {
  return holdReasonOf(watch.settings, mute, now) === null;
}
