import { compareTallies, type GroupTally } from '../failures/failure.ts';
import { type Headline, headlineOf, type UncheckedReason } from '../health/headline.ts';
import { isAnnouncedInTime, isLate, isReadInTime } from '../health/status.ts';
import type { IncidentState } from '../incidents/incident.ts';
import { countOpen, openSeverity } from '../incidents/outstanding.ts';
import { uncheckedOf } from '../polling/gap.ts';
import { joinedRanges, uncheckedIn } from '../time/coverage.ts';
import type { TimeRange } from '../time/time-range.ts';
import { lastWallClock } from '../time/wall-clock.ts';
import { type Watch, type Watchable, type WatchSettings, wants } from '../watches/watch.ts';
import type { DelayedCondition, EnvironmentSummary, SummaryContent } from './delivery.ts';

export interface SummedIncident {
  readonly episodeId: number;
  readonly tally: GroupTally;
  readonly parts: readonly Watchable[];
  readonly state: IncidentState;
  readonly isAlerted: boolean;
}

export type IncidentSums = Pick<EnvironmentSummary, 'incidents' | 'open' | 'belowThreshold'> & {
  /** The episodes of the largest, at most `MOST_LARGEST`, in the order of rows. */
  readonly largest: readonly number[];
};

const MOST_LARGEST = 5;

/** The local day (yyyy-MM-dd). Of missed days only the last is made up for; a watch made after that time of day waits for the next day. */
export function summaryDue(
  { settings: { summaryAt, timeZone }, createdAt }: Pick<Watch, 'settings' | 'createdAt'>,
  lastDay: string | null,
  now: Date,
): string | null {
  if (summaryAt === null) return null;
  const { day, at } = lastWallClock(summaryAt, timeZone, now);
  if (at <= createdAt || (lastDay !== null && day <= lastDay)) return null;
  return day;
}

export interface CheckedEnvironment {
  readonly environment: string;
  /** Null before its first poll. */
  readonly coverage: TimeRange | null;
  readonly lastSuccessAt: Date | null;
  readonly isCatchingUp: boolean;
  /** When everything to announce was last written; null: never yet. */
  readonly announcedAt: Date | null;
  /** How late the passes over older events are. */
  readonly behindMs: number;
}

export interface SummaryMoment {
  readonly from: Date;
  readonly now: Date;
  readonly pollMs: number;
}

/** Returns whether an environment is read in time, since the last summary too, isn't catching up, and settles incidents by announcing. */
export function isUpToDate(checked: CheckedEnvironment, moment: SummaryMoment): boolean {
  return (
    !checked.isCatchingUp &&
    !isLate(checked.behindMs) &&
    polledTo(checked, moment) !== null &&
    isAnnouncedInTime(checked.announcedAt, moment.pollMs, moment.now)
  );
}

/** Returns the most severe; null: nothing. */
export function delayedBy(
  { coverage, announcedAt, behindMs }: CheckedEnvironment,
  moment: SummaryMoment,
): DelayedCondition | null {
  if (coverage !== null && !isAnnouncedInTime(announcedAt, moment.pollMs, moment.now)) return 'not-announced';
  return isLate(behindMs) ? 'late' : null;
}

/** The earliest last poll. An environment that isn't polled in time doesn't count: from its last poll on, it's shown as unchecked. */
export function summaryEnd(environments: readonly CheckedEnvironment[], moment: SummaryMoment): Date {
  const ends = environments.map((one) => polledTo(one, moment) ?? moment.now);
  return new Date(Math.min(moment.now.getTime(), ...ends.map((end) => end.getTime())));
}

function polledTo({ coverage, lastSuccessAt }: CheckedEnvironment, { from, now, pollMs }: SummaryMoment): Date | null {
  const isInTime = coverage !== null && coverage.to > from && isReadInTime(lastSuccessAt, pollMs, now);
  return isInTime ? coverage.to : null;
}

export function sumUp(incidents: readonly SummedIncident[], { filter, threshold }: WatchSettings): IncidentSums {
  const about = incidents.filter(({ parts }) => parts.some((part) => wants(filter, part)));
  const inState = (...states: IncidentState[]) => about.filter(({ state }) => states.includes(state)).length;
  return {
    incidents: {
      failing: inState('firing'),
      quiet: inState('quiet'),
      recovered: inState('recovering', 'resolved'),
    },
    open: countOpen(about.filter(({ state }) => state !== 'resolved').map(openPartOf)),
    belowThreshold: threshold === null ? 0 : about.filter(({ isAlerted }) => !isAlerted).length,
    largest: about
      .toSorted((a, b) => compareTallies(a.tally, b.tally))
      .slice(0, MOST_LARGEST)
      .map(({ episodeId }) => episodeId),
  };
}

function openPartOf({ state, tally: { critical, severity } }: SummedIncident): Parameters<typeof countOpen>[0][number] {
  return { severity: openSeverity(critical, severity), isFailing: state === 'firing', incidents: 1 };
}

export function summaryHeadline({ environments, range, mutes, pending }: SummaryContent): Headline {
  const open = environments.flatMap((one) => one.open);
  const parts = open.flatMap(({ severity, failing, quiet }) => [
    { severity, isFailing: true, incidents: failing },
    { severity, isFailing: false, incidents: quiet },
  ]);
  const unchecked = environments.flatMap((one): UncheckedReason[] => {
    const windows = uncheckedTime(one, range);
    const { environment, unreadable: events, delayed } = one;
    return [
      ...(delayed === null ? [] : [{ is: 'reading', environment, condition: delayed } as const]),
      ...(windows.length === 0 ? [] : [{ is: 'windows', environment, windows } as const]),
      ...(events === 0 ? [] : [{ is: 'unreadable', environment, events } as const]),
    ];
  });
  if (environments.length === 0) unchecked.push({ is: 'no-environment' });
  return headlineOf({ open: countOpen(parts), ...mutes, pending, unchecked, stillChecking: [] });
}

/** Gaps, also from before the range, what is before the first poll's hour, and what is after the last poll. */
export function uncheckedTime({ coverage, gaps }: EnvironmentSummary, range: TimeRange): TimeRange[] {
  const inGaps = gaps.flatMap((gap) => uncheckedOf(gap, range.to)).filter(({ from, to }) => from < to);
  return joinedRanges([...uncheckedIn(range, { coverage, gaps: [] }), ...inGaps]);
}
