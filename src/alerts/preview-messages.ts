import { addMilliseconds, compareAsc, max } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { isSingle } from '../incidents/badness.ts';
import { minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { quietUntil } from '../lib/time/wall-clock.ts';
import { Count, type Db, idList } from '../store/db.ts';
import { quietTimes, type WatchSettings } from '../watches/settings.ts';
import { BETWEEN_RINGS_MS } from './decide.ts';

/** What the timeline has of an incident that a watch tells. */
export interface Happened {
  incidentId: number;
  environment: string;
  outbreak: number;
  at: Date;
  what: 'began' | 'worse' | 'owned';
  /** One recipient's own trouble, which rings nobody. */
  isGathered: boolean;
}

/** A message that a watch would have posted, of one environment. */
export interface PreviewedMessage {
  at: Date;
  environment: string;
  rings: boolean;
  incidents: readonly number[];
}

/** By the rules of `decide`, as far as the timeline remembers: mutes and `every:` aren't part of it. */
export function messagesOf(happened: readonly Happened[], settings: WatchSettings): readonly PreviewedMessage[] {
  const lastRings = new Map<number, Date>();
  const owned = new Set<string>();
  const messages = new Map<string, PreviewedMessage>();
  for (const { incidentId, environment, outbreak, at, what, isGathered } of happened) {
    const outbreakKey = `${incidentId} ${outbreak}`;
    if (what === 'owned') owned.add(outbreakKey);
    const isTold = what === 'began' || (what === 'worse' && !owned.has(outbreakKey) && !isGathered);
    if (!isTold) continue;
    const rangAt = what === 'worse' ? lastRings.get(incidentId) : undefined;
    const dueAt = rangAt === undefined ? at : max([at, addMilliseconds(rangAt, BETWEEN_RINGS_MS)]);
    const postedAt = quietUntil(quietTimes(settings), settings.timeZone, dueAt) ?? dueAt;
    if (!isGathered) lastRings.set(incidentId, postedAt);
    // A watch posts in one message what is due at about the same time.
    const messageKey = `${environment} ${minuteOf(postedAt).getTime()}`;
    const message = messages.get(messageKey) ?? { at: postedAt, environment, rings: false, incidents: [] };
    messages.set(messageKey, {
      ...message,
      rings: message.rings || !isGathered,
      incidents: [...new Set([...message.incidents, incidentId])],
    });
  }
  return [...messages.values()].toSorted((a, b) => compareAsc(a.at, b.at));
}

const HappenedRow = z.object({
  incidentId: Count,
  environment: z.string(),
  outbreak: z.number(),
  at: z.date(),
  what: z.enum(['began', 'worse', 'owned']),
  isRecipientFault: z.boolean(),
  isFaultUnknown: z.boolean(),
  subscribers: Count,
});

export async function happenedTo(
  db: Db,
  ids: readonly number[],
  { from, to }: TimeRange,
): Promise<readonly Happened[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows(
    HappenedRow,
    sql`
      SELECT
        a.incident_id,
        i.environment,
        a.outbreak,
        a.at,
        CASE
          WHEN a.change ->> 'action' IN ('began', 'back') THEN 'began'
          WHEN a.change ->> 'action' IN ('worse', 'critical') THEN 'worse'
          ELSE 'owned'
        END AS what,
        i.is_recipient_fault,
        i.is_fault_unknown,
        o.subscribers
      FROM audit a
      JOIN incidents i ON i.id = a.incident_id
      JOIN outbreaks o ON o.incident_id = a.incident_id AND o.number = a.outbreak
      WHERE a.incident_id IN ${idList(ids)}
        AND a.at BETWEEN ${from} AND ${to}
        AND (
          a.change ->> 'action' IN ('began', 'back', 'critical', 'acknowledged')
          OR (a.change ->> 'action' = 'worse' AND a.change ->> 'badness' = 'every'))
      ORDER BY a.id`,
  );
  return rows.map((row) => ({ ...row, isGathered: isSingle(row) }));
}
