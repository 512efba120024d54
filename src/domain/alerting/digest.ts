import { compareTallies } from '../failures/failure.ts';
import type { Mute } from '../incidents/episode.ts';
import { isOverIn } from '../incidents/incident.ts';
import { quietTimeAt } from '../time/wall-clock.ts';
import type { Mention, Watch } from '../watches/watch.ts';
import {
  type Candidate,
  type Decision,
  decide,
  type HoldReason,
  holdReasonOf,
  isCloserThan,
} from './alert-decision.ts';
import type { HeldBack, RowReason } from './delivery.ts';

export interface Announcing {
  readonly watch: Watch;
  readonly candidates: readonly Candidate[];
  readonly lastAlertAt: Date | null;
  /** The mute of the whole watch: the active one, or an ended one whose end has not been announced. */
  readonly mute: Mute | null;
}

export interface Plan {
  readonly message: PlannedDigest | null;
  readonly held: readonly { readonly episodeId: number; readonly why: HoldReason }[];
}

export interface PlannedDigest {
  /** In the order of `compareTallies`. */
  readonly rows: readonly PlannedRow[];
  readonly mention: Mention | null;
  readonly heldBack: HeldBack | null;
}

export interface PlannedRow {
  readonly episodeId: number;
  readonly reason: RowReason;
  readonly failures: number;
  readonly relapses: number;
  readonly critical: boolean;
  readonly missed: number | null;
}

export const DIGEST_ROWS = 10;

export function planDigest(announcing: Announcing, now: Date): Plan {
  const suppression = suppressionOf(announcing, now);
  const decided = announcing.candidates.map((candidate) => ({
    candidate,
    ...decide(candidate, announcing.watch.settings, suppression, now),
  }));
  const alerts = decided.filter(isAlert).sort((a, b) => compareTallies(a.candidate.tally, b.candidate.tally));
  return {
    message: alerts.length > 0 ? digestOf(alerts, announcing, now) : null,
    held: decided.flatMap((one) =>
      one.decision === 'hold' ? [{ episodeId: one.candidate.episodeId, why: one.why }] : [],
    ),
  };
}

function suppressionOf({ watch: { settings }, mute, lastAlertAt }: Announcing, now: Date): HoldReason | null {
  const hadItsTurn = lastAlertAt !== null && isCloserThan(settings.everyMs, lastAlertAt, now);
  return holdReasonOf(settings, mute, now) ?? (hadItsTurn ? 'pace' : null);
}

type Alert = { readonly candidate: Candidate } & Extract<Decision, { decision: 'announce' }>;

function isAlert(decided: { readonly candidate: Candidate } & Decision): decided is Alert {
  return decided.decision === 'announce';
}

function mentionFor(
  { settings }: Pick<Watch, 'settings'>,
  incidents: readonly Pick<Candidate, 'isAcknowledged' | 'state'>[],
): Mention | null {
  const isInHand = incidents.every(({ isAcknowledged, state }) => isAcknowledged || isOverIn(state));
  return isInHand ? null : settings.mention;
}

function digestOf(alerts: readonly Alert[], announcing: Announcing, now: Date): PlannedDigest {
  return {
    rows: alerts.map(({ candidate, reason }) => ({
      episodeId: candidate.episodeId,
      reason,
      failures: candidate.tally.failures,
      relapses: candidate.relapses,
      critical: candidate.tally.critical,
      missed: candidate.missed > 0 ? candidate.missed : null,
    })),
    mention: mentionFor(
      announcing.watch,
      alerts.map(({ candidate }) => candidate),
    ),
    heldBack: heldBackOf(alerts, announcing, now),
  };
}

/** What held it back as a whole; an incident's own mute is in its row. */
function heldBackOf(alerts: readonly Alert[], { watch: { settings }, mute }: Announcing, now: Date): HeldBack | null {
  if (mute !== null && alerts.some(({ candidate }) => isReleasedBy(mute, candidate)))
    return { why: 'mute', from: mute.from, to: mute.until };
  const held = alerts.flatMap(({ candidate }) => candidate.held ?? []);
  const quiet = held.filter(({ why }) => why === 'quiet').map(({ since }) => since);
  if (quiet.length === 0) return null;
  const since = new Date(Math.min(...quiet.map(Number)));
  const { from, to } = quietTimeAt(settings.quiet, settings.timeZone, since) ?? { from: since, to: now };
  return { why: 'quiet', from, to };
}

/** Returns whether it waited for the end of the whole watch's mute, and not afterwards for the end of the incident's own. */
function isReleasedBy({ until }: Mute, { held, mutedUntil }: Candidate): boolean {
  return held?.why === 'mute' && held.since < until && (mutedUntil === null || mutedUntil <= until);
}
