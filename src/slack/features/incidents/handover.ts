import { addMilliseconds } from 'date-fns';
import { withoutPrivate } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentsOver, openByOwner, type Some, type SomeOpen } from '../../../incidents/lists.ts';
import { shownOf, uncheckedIn, withoutRanges } from '../../../lib/time/coverage.ts';
import { HOUR_MS } from '../../../lib/time/durations.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import type { Channels } from '../../../lib/workspace.ts';
import { coverageOf } from '../../../lookups/failures.ts';
import { type Gap, isWorthReporting, uncheckedOf } from '../../../polling/gap.ts';
import { gapsIn } from '../../../polling/gaps.ts';
import type { Db } from '../../../store/db.ts';
import { type EndingMute, endingMutes } from '../../../watches/mutes.ts';
import type { SlackCtx } from '../../ctx.ts';
import { parseRequest, type SinceRequest } from '../../kit/since-request.ts';
import { type Flow, parseSince, SINCE_FILTERS } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';
import { handoverMessage, SHARE } from './handover-message.ts';

export interface Handover {
  readonly range: TimeRange;
  /** In configured order. */
  readonly environments: readonly HandedEnvironment[];
  /** Unowned incidents first, then as in any list of incidents. */
  readonly open: SomeOpen;
  /** What was resolved, the latest first. */
  readonly over: Some<IncidentNow>;
  /** Mutes that end by `mutesTo`, the next first; the channel is null if the reader might not be a member. */
  readonly mutes: Some<Omit<EndingMute, 'channel'> & { readonly channel: string | null }>;
  readonly mutesTo: Date;
}

export interface HandedEnvironment {
  readonly name: string;
  /** Until when events were checked; null: none were yet. */
  readonly checkedTo: Date | null;
  readonly gaps: readonly Gap[];
  /** What else of the time range wasn't checked: after the last poll, before the first poll's hour, in gaps that aren't listed. */
  readonly unchecked: readonly TimeRange[];
}

const SHIFT_MS = 8 * HOUR_MS;

export function handoverFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: SinceRequest) => {
    const all = ctx.environments.map(({ name }) => name);
    const chosen = request.environments.length === 0 ? all : all.filter((name) => request.environments.includes(name));
    const handover = await writeHandover(ctx, chosen, request.since);
    const names = await ctx.workspace.namesOf(peopleNamed(handover));
    return handoverMessage(handover, { configured: ctx.environments, names }, request);
  };
  return {
    commands: [
      {
        word: 'handover',
        usage: '[since:8h env:]',
        about: 'what is open and who has it, what is over, gaps and mutes that end soon, of the last 8 h',
        examples: ['', 'since:12h env:production'],
        for: 'members',
        filters: SINCE_FILTERS,
        follows: 'filters',
        environments: 'several',
        answer: async (line, { reply }) => reply.show(await messageOf(parseSince(line, { usualMs: SHIFT_MS, ...ctx }))),
      },
    ],
    routes: routesFor('members', shareRoutes(ctx, SHARE, parseRequest, messageOf)),
  };
}

const MOST_OPEN = 15;
const MOST_OTHERS = 8;

/** A mute is listed that ends within a shift, or within the handover's own length if that is longer. */
export async function writeHandover(
  ctx: Pick<SlackCtx, 'db' | 'now'> & { readonly channels: Pick<Channels, 'isPublic'> },
  environments: readonly string[],
  from: Date,
): Promise<Handover> {
  const { db, channels } = ctx;
  const range = { from, to: ctx.now() };
  const mutesTo = addMilliseconds(range.to, Math.max(SHIFT_MS, range.to.getTime() - from.getTime()));
  // Read before the lists, so that they can be newer than this time but never older.
  const handed = await Promise.all(environments.map((name) => handedEnvironment(db, name, range)));
  const mutes = await endingMutes(db, environments, { from: range.to, to: mutesTo }, MOST_OTHERS);
  return {
    ...{ range, environments: handed, mutesTo },
    over: await incidentsOver(db, environments, range, MOST_OTHERS),
    open: await openByOwner(db, environments, MOST_OPEN, range.to),
    mutes: { ...mutes, items: await withoutPrivate<Handover['mutes']['items'][number]>(mutes.items, channels) },
  };
}

async function handedEnvironment(db: Db, name: string, range: TimeRange): Promise<HandedEnvironment> {
  const { to } = range;
  const coverage = await coverageOf(db, name);
  const all = await gapsIn(db, name, range);
  const gaps = all.filter((gap) => isWorthReporting(gap, to));
  const listed = gaps.map((gap) => ({ from: gap.from, to: gap.to ?? to }));
  const inGaps = all.flatMap((gap) => uncheckedOf(gap, to));
  const unchecked = uncheckedIn(shownOf(range, { coverage }), { coverage, gaps: inGaps });
  return {
    ...{ name, gaps, checkedTo: coverage?.to ?? null },
    unchecked: unchecked.flatMap((window) => withoutRanges(window, listed)),
  };
}

function peopleNamed({ open, over, mutes }: Handover): readonly string[] {
  const incidents = [...open.items, ...over.items].flatMap(({ assigned, acknowledged, state, note }) => [
    ...[assigned?.to, acknowledged?.by, note?.by],
    state.is === 'resolved' ? state.by : null,
  ]);
  const all = [...incidents, ...mutes.items.map(({ by }) => by)];
  return [...new Set(all.filter((person) => person !== null && person !== undefined))];
}
