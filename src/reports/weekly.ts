import { subDays } from 'date-fns';
import { forWatch, shutOutOfChannel } from '../alerts/watch-end.ts';
import type { FailureFilter } from '../judging/filter.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { nextWallClock } from '../lib/time/wall-clock.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import type { WatchSettings } from '../watches/settings.ts';
import { Summarized } from './summary.ts';
import { type EnvironmentWeek, weekOf } from './week.ts';

export const WEEKLY = 'weekly';

export interface WeeklyContent {
  kind: 'weekly';
  id: string;
  channel: string;
  range: TimeRange;
  filter: FailureFilter;
  environments: readonly EnvironmentWeek[];
}

/** A watch's weekly summary, for whoever leads: how much failed, how long it took, and what nobody looked at. */
export function createWeeklyKind(ctx: { now: () => Date; retentionDays: number }): MessageKind<WeeklyContent> {
  return {
    Kept: Summarized,
    mustArrive: false,
    async draw(db, message) {
      return forWatch(db, message.owner, async ({ settings, channel: current }) => {
        const { id, channel, state } = message;
        if (state !== 'posted' && channel !== current) return { is: 'moved', channel: current };
        const { environments: names, ...range } = Summarized.parse(message.content);
        const keptFrom = subDays(ctx.now(), ctx.retentionDays);
        const week = { range, days: daysIn(range, settings), keptFrom };
        const environments: EnvironmentWeek[] = [];
        for (const environment of names) environments.push(await weekOf(db, settings, environment, week));
        const { filter } = settings;
        const content: WeeklyContent = { kind: WEEKLY, id, channel, range, filter, environments };
        const knownBy = fingerprintOf(WEEKLY, message.owner, message.subject);
        return { is: 'drawn', content, said: [], knownBy, nextAt: null };
      });
    },
    shutOut: shutOutOfChannel,
  };
}

/** From one summary's time of the day to the next. */
export function daysIn(range: TimeRange, { summaryAt, timeZone }: WatchSettings): readonly TimeRange[] {
  const days: TimeRange[] = [];
  for (let { from } = range; from < range.to; ) {
    const to = nextWallClock(summaryAt ?? 0, timeZone, from);
    days.push({ from, to: to < range.to ? to : range.to });
    from = to;
  }
  return days;
}
