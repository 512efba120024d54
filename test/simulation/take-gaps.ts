import { z } from 'zod';
import type { Db } from '../../src/store/db.ts';
import { broke, type Discrepancy } from './account.ts';
import type { Stretch } from './facts.ts';
import type { Played } from './play.ts';
import { clock } from './virtual-time.ts';
import type { Switch } from './world.ts';

const StretchRow = z.object({ beginsAt: z.date(), endsAt: z.date() });
export const GAP_TIMES = 'SELECT begins_at, coalesce(ends_at, now()) AS ends_at FROM gaps';

/** Returns the stretches of a query with `begins_at` and `ends_at`. */
export async function stretchesIn(database: Db, query: string, skewMs = 0): Promise<Stretch[]> {
  const rows = await database.rows(StretchRow, query);
  return rows.map(({ beginsAt, endsAt }) => ({ from: beginsAt.getTime() - skewMs, to: endsAt.getTime() - skewMs }));
}

const GapRow = z.object({
  watch: z.string(),
  startedAt: z.date(),
  stateAt: z.date(),
  messageId: z.string().nullable(),
});

/** Outages with each watch's newest alert. One that changed after announcing ran last isn't due. */
const GAPS = `
  SELECT w.channel AS watch, o.began_at AS started_at, i.state_at, a.message_id
  FROM incidents i
  JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
  JOIN environments c ON c.environment = i.environment
  CROSS JOIN watches w
  LEFT JOIN watch_alerts a ON a.incident_id = i.id AND a.watch_id = w.id
  WHERE i.kind = 'unreadable'
    AND i.state_at < c.announced_at`;

/** Watches hold gaps back in quiet hours and mutes, too. */
const MAY_BE_SILENT: readonly Switch[] = ['watch-settings', 'watches-edited', 'people'];

/** Finds outages to which a watch wasn't alerted. */
export async function gapsUntold(played: Played, database: Db): Promise<Discrepancy[]> {
  if (MAY_BE_SILENT.some((name) => played.world.has(name))) return [];
  const isShown = ({ messageId }: z.output<typeof GapRow>) =>
    played.slack.messages.some(({ deliveryId }) => deliveryId === messageId);
  const unshown = (await database.rows(GapRow, GAPS)).filter((row) => !isShown(row));
  return unshown.map(({ watch, startedAt }) =>
    broke('gaps', `${watch} wasn't alerted to the outage from ${clock(startedAt.getTime())}, or its end`),
  );
}
