import { addMilliseconds } from 'date-fns';
import { withoutPrivate } from '../../../health/status.ts';
import type { HandedEnvironment, Handover } from '../../../incidents/handover.ts';
import { incidentsOver, openByOwner } from '../../../incidents/lists.ts';
import { shownOf, uncheckedIn, withoutRanges } from '../../../lib/time/coverage.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import type { Channels } from '../../../lib/workspace.ts';
import { coverageOf } from '../../../lookups/failures.ts';
import { type Gap, isWorthReporting, uncheckedOf } from '../../../polling/gap.ts';
import { gapsIn } from '../../../polling/gaps.ts';
import { endingMutes } from '../../../watches/mutes.ts';
import type { SlackCtx } from '../../ctx.ts';

export type HandoverCtx = Pick<SlackCtx, 'db' | 'now'> & { readonly channels: Pick<Channels, 'isPublic'> };

const MOST_OPEN = 15;
const MOST_OTHERS = 8;

/** A mute that ends within this time, or within the handover's own length if that is longer, ends in the next shift and is listed. */
const SOON_MS = 8 * 60 * 60_000;

export async function writeHandover(
  { db, channels, now }: HandoverCtx,
  environments: readonly string[],
  from: Date,
): Promise<Handover> {
  const to = now();
  const range = { from, to };
  const mutesTo = addMilliseconds(to, Math.max(SOON_MS, to.getTime() - from.getTime()));
  // Read before the lists, so that they can be newer than this time but never older.
  const checked = await Promise.all(
    environments.map(async (name) => {
      const coverage = await coverageOf(db, name);
      return { name, checkedTo: coverage?.to ?? null, ...notChecked(range, coverage, await gapsIn(db, name, range)) };
    }),
  );
  const mutes = await endingMutes(db, environments, { from: to, to: mutesTo }, MOST_OTHERS);
  return {
    ...{ range, environments: checked, mutesTo },
    over: await incidentsOver(db, environments, range, MOST_OTHERS),
    open: await openByOwner(db, environments, MOST_OPEN, to),
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
