import { addMilliseconds } from 'date-fns';
import type { EndingMute, HandedEnvironment, Handover, Some, SomeOpen } from '../../domain/health/handover.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { type Gap, isWorthReporting, uncheckedOf } from '../../domain/polling/gap.ts';
import { withoutRanges } from '../../domain/polling/reading-windows.ts';
import { shownOf, uncheckedIn } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import type { Channels } from '../ports/channels.ts';
import { withoutPrivate } from './report-status.ts';

export interface HandoverStore {
  /** Returns the open incidents of some environments: those that nobody has first, then as on the Home tab. */
  openByOwner(environments: readonly string[], limit: number, now: Date): Promise<SomeOpen>;
  incidentsOver(environments: readonly string[], range: TimeRange, limit: number): Promise<Some<IncidentNow>>;
  /** Returns the mutes active at `from` that end by `to`, the next one first, as far as they concern some environments. */
  endingMutes(environments: readonly string[], range: TimeRange, limit: number): Promise<Some<EndingMute>>;
  gapsIn(environment: string, range: TimeRange): Promise<Gap[]>;
  coverage(environment: string): Promise<TimeRange | null>;
}

export interface WriteHandoverParts {
  readonly store: HandoverStore;
  readonly channels: Pick<Channels, 'isPublic'>;
  readonly now: () => Date;
}

const MOST_OPEN = 15;
const MOST_OTHERS = 8;

/** A mute that ends within this time, or within the handover's own length if that is longer, ends in the next shift and is listed. */
const SOON_MS = 8 * 60 * 60_000;

export async function writeHandover(
  environments: readonly string[],
  from: Date,
  { store, channels, now }: WriteHandoverParts,
): Promise<Handover> {
  const to = now();
  const range = { from, to };
  const mutesTo = addMilliseconds(to, Math.max(SOON_MS, to.getTime() - from.getTime()));
  // Read before the lists, so that they can be newer than this time but never older.
  const checked = await Promise.all(
    environments.map(async (name) => {
      const coverage = await store.coverage(name);
      return { name, checkedTo: coverage?.to ?? null, ...notChecked(range, coverage, await store.gapsIn(name, range)) };
    }),
  );
  const mutes = await store.endingMutes(environments, { from: to, to: mutesTo }, MOST_OTHERS);
  return {
    ...{ range, environments: checked, mutesTo },
    over: await store.incidentsOver(environments, range, MOST_OTHERS),
    open: await store.openByOwner(environments, MOST_OPEN, to),
    mutes: { ...mutes, items: await withoutPrivate(mutes.items, channels) },
  };
}

function notChecked(
  range: TimeRange,
  coverage: TimeRange | null,
  all: readonly Gap[],
): Pick<HandedEnvironment, 'gaps' | 'unchecked'> {
  const { to } = range;
  const gaps = all.filter((gap) => isWorthReporting(gap, to));
  const listed = gaps.map((gap) => ({ from: gap.from, to: gap.to ?? to }));
  const inGaps = all.flatMap((gap) => uncheckedOf(gap, to));
  const unchecked = uncheckedIn(shownOf(range, { coverage }), { coverage, gaps: inGaps });
  return { gaps, unchecked: unchecked.flatMap((window) => withoutRanges(window, listed)) };
}
