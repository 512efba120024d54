import { holdReasonOf } from '../../domain/alerting/alert-decision.ts';
import { type Announcing, type Plan, planDigest } from '../../domain/alerting/digest.ts';
import type { Mute } from '../../domain/incidents/episode.ts';
import type { Logger } from '../../domain/logger.ts';
import { type Gap, isWorthReporting } from '../../domain/polling/gap.ts';
import type { Watch } from '../../domain/watches/watch.ts';

export interface UnannouncedGap {
  readonly gap: Gap;
  readonly watch: Watch;
  /** The watch's last whole-watch mute, active or not. */
  readonly mute: Mute | null;
}

export interface AnnouncingStore {
  /** Records which incidents of an environment are recovered, resolved or quiet by `now`, and redraws their messages. */
  settleIncidents(environment: string, now: Date): Promise<void>;
  /** Redraws the messages that show a mute which has expired since they were drawn. */
  redrawAfterMutes(now: Date): Promise<void>;
  /**
   * For each watch that may have something to announce about an environment, in one transaction: reads what that is, asks `plan`, and
   * writes the planned message with its announcements to the outbox and stores what is kept for later. Returns the IDs of the messages
   * written.
   */
  announce(environment: string, plan: (announcing: Announcing) => Plan, now: Date): Promise<string[]>;
  /**
   * Writes a message for each gap and channel where the gap hasn't been announced and `isDue` agrees, and redraws messages whose gap has
   * changed. Returns the IDs of the messages written.
   */
  announceGaps(environment: string, isDue: (gap: UnannouncedGap) => boolean, now: Date): Promise<string[]>;
  /**
   * Writes a message for each channel that has unseen changes and a watch that shows changes, if `isDue` agrees for the watch that would
   * write it. Returns the IDs of the messages written.
   */
  announceChanges(environment: string, isDue: (speaker: ChangesSpeaker) => boolean, now: Date): Promise<string[]>;
}

/** A watch that would show changes, and its last mute, active or not. */
export type ChangesSpeaker = Pick<UnannouncedGap, 'watch' | 'mute'>;

/** Decides what every watch announces about an environment, and writes it to the outbox. Returns the IDs of the messages. */
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
  const gapIds = await store.announceGaps(environment, (gap) => isDue(gap, now), now);
  for (const digestId of gapIds) logger.info({ environment, digestId }, 'notice of a gap written');
  const changesIds = await store.announceChanges(environment, (speaker) => isOpen(speaker, now), now);
  for (const digestId of changesIds) logger.info({ environment, digestId }, 'message about changes written');
  return [...digestIds, ...gapIds, ...changesIds];
}

function isDue({ gap, watch, mute }: UnannouncedGap, now: Date): boolean {
  return isWorthReporting(gap, now) && isOpen({ watch, mute }, now);
}

/** Returns whether neither quiet hours nor a mute hold back what the watch would post. */
function isOpen({ watch, mute }: ChangesSpeaker, now: Date): boolean {
  return holdReasonOf(watch.settings, mute, now) === null;
}
