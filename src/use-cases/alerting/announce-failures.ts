import { holdReasonOf } from '../../domain/alerting/alert-decision.ts';
import { type Announcing, type Plan, planDigest } from '../../domain/alerting/digest.ts';
import type { Mute } from '../../domain/incidents/episode.ts';
import type { Logger } from '../../domain/logger.ts';
import { type Gap, isWorthReporting } from '../../domain/polling/gap.ts';
import type { Watch } from '../../domain/watches/watch.ts';

export interface UnannouncedGap {
  readonly gap: Gap;
  readonly watch: Watch;
  readonly mute: Mute | null;
}

export interface AnnouncingStore {
  settleIncidents(environment: string, now: Date): Promise<void>;
  redrawAfterMutes(now: Date): Promise<void>;
  /** In one transaction for each watch: asks `plan`, writes its message and stores what is kept for later. Returns the messages' IDs. */
  announce(environment: string, plan: (announcing: Announcing) => Plan, now: Date): Promise<string[]>;
  /** For each gap and channel where it hasn't been announced. Redraws messages whose gap has changed. Returns the messages' IDs. */
  announceGaps(environment: string, isDue: (gap: UnannouncedGap) => boolean, now: Date): Promise<string[]>;
  /** For each channel that has unseen changes and a watch that shows them. Returns the messages' IDs. */
  announceChanges(environment: string, isDue: (speaker: ChangesSpeaker) => boolean, now: Date): Promise<string[]>;
}

/** A watch that would show changes, and its last mute, active or not. */
export type ChangesSpeaker = Pick<UnannouncedGap, 'watch' | 'mute'>;

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

function isOpen({ watch, mute }: ChangesSpeaker, now: Date): boolean {
  return holdReasonOf(watch.settings, mute, now) === null;
}
