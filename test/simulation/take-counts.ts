import { z } from 'zod';
import { Count, type Db } from '../../src/store/db.ts';
import type { Bounded } from './facts.ts';
import type { Played } from './play.ts';
import { CLOCKS_SET } from './promises.ts';
import { DELIVERED_FATES, type StoryEvent } from './story.ts';
import { GAP_TIMES, stretchesIn } from './take-gaps.ts';
import { mayBeUnreadable } from './take-planted.ts';
import { clock, MINUTE } from './virtual-time.ts';
import type { Switch } from './world.ts';

const CountedRow = z.object({ minute: z.date(), events: Count, deliveries: Count });
const COUNTED = `
  SELECT minute, sum(events) AS events, sum(deliveries) AS deliveries
  FROM (
    SELECT minute, events, 0 AS deliveries
    FROM event_counts
    UNION ALL
    SELECT created, 0, successes
    FROM success_counts
  ) counted
  GROUP BY 1`;

/** Times in a gap or before the first that Notif read, by the service's clock. */
const UNCOUNTED = `${GAP_TIMES} UNION ALL SELECT to_timestamp(0), covered_from FROM environments`;

/** An event that the last answer leaves out, or lists without its steps, isn't counted. */
const MAY_COUNT_LESS: readonly Switch[] = ['absent-once', 'reordered-ties', 'no-jobs-in-list', 'no-details-in-list'];

/** Returns how many events and deliveries of each minute Notif has counted, and how many there were. */
export async function countedMinutes(played: Played, database: Db): Promise<Bounded[]> {
  const { story, service, world } = played;
  if (world.has('no-times') || CLOCKS_SET.some((name) => world.has(name))) return [];
  const rows = await database.rows(CountedRow, COUNTED);
  const uncounted = await stretchesIn(database, UNCOUNTED);
  const minuteOf = ({ createdAt }: StoryEvent) => Math.floor((createdAt + service.skewAt(createdAt)) / MINUTE) * MINUTE;
  const minutes = new Set([...story.events.map(minuteOf), ...rows.map((row) => row.minute.getTime())]);
  return [...minutes].flatMap((minute) => {
    const row = rows.find((each) => each.minute.getTime() === minute);
    const its = story.events.filter((event) => minuteOf(event) === minute);
    const delivered = its.filter(({ fate }) => DELIVERED_FATES.includes(fate));
    const isUncounted = uncounted.some(({ from, to }) => minute > from - 2 * MINUTE && minute < to + MINUTE);
    const mayBeLess = isUncounted || MAY_COUNT_LESS.some((name) => world.has(name));
    const certain = mayBeLess ? [] : its.filter((event) => !mayBeUnreadable(event, played));
    const sent = certain.filter(({ fate }) => fate === 'delivered').length;
    const time = clock(minute);
    const [events, deliveries] = [
      { least: certain.length, most: its.length },
      { least: sent, most: delivered.length },
    ];
    return [
      { rule: 'counted', words: `events of ${time} counted`, is: row?.events ?? 0, ...events },
      { rule: 'counted', words: `deliveries of ${time} counted`, is: row?.deliveries ?? 0, ...deliveries },
    ];
  });
}
