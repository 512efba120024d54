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
  /** Its outbreak's end. */
  endedAt: Date | null;
  /** `owned`: somebody acknowledged it; `free`: nobody has it any more. */
  what: 'began' | 'worse' | 'owned' | 'free';
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
  const messages = new Map<string, PreviewedMessage>();
  for (const each of happened) {
    const { incidentId, environment, at, endedAt, what, isGathered } = each;
    if (what === 'owned' || what === 'free') continue;
    const rangAt = what === 'worse' ? lastRings.get(incidentId) : undefined;
    const dueAt = rangAt === undefined ? at : max([at, addMilliseconds(rangAt, BETWEEN_RINGS_MS)]);
    // That it gets worse is posted neither of what somebody has, nor of what is gathered.
    if (what === 'worse' && (isGathered || isOwned(each, dueAt, happened))) continue;
    const postedAt = quietUntil(quietTimes(settings), settings.timeZone, dueAt) ?? dueAt;
    const isOver = endedAt !== null && endedAt <= postedAt;
    const rings = !isGathered && !isOver && !isOwned(each, postedAt, happened);
    if (rings) lastRings.set(incidentId, postedAt);
    // A watch posts in one message what is due at about the same time.
    const messageKey = `${environment} ${minuteOf(postedAt).getTime()}`;
    const message = messages.get(messageKey) ?? { at: postedAt, environment, rings: false, incidents: [] };
    messages.set(messageKey, {
      ...message,
      rings: message.rings || rings,
      incidents: [...new Set([...message.incidents, incidentId])],
    });
  }
  return [...messages.values()].toSorted((a, b) => compareAsc(a.at, b.at));
}

/** Whether somebody had the incident at that time. */
function isOwned({ incidentId, outbreak }: Happened, at: Date, happened: readonly Happened[]): boolean {
  const last = happened.findLast(
    (each) =>
      each.incidentId === incidentId &&
      each.outbreak === outbreak &&
      each.at <= at &&
      (each.what === 'owned' || each.what === 'free'),
  );
  return last?.what === 'owned';
}

const HappenedRow = z.object({
  incidentId: Count,
  environment: z.string(),
  outbreak: z.number(),
  at: z.date(),
  endedAt: z.date().nullable(),
  what: z.enum(['began', 'worse', 'owned', 'free']),
  isRecipientFault: z.boolean(),
  isFaultUnknown: z.boolean(),
  subscribers: Count,
});

/** What happened to incidents in a range of time. Who had one by then counts from before. */
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
        o.ended_at,
        CASE
          WHEN a.change ->> 'action' IN ('began', 'back') THEN 'began'
          WHEN a.change ->> 'action' IN ('worse', 'critical') THEN 'worse'
          WHEN a.change ->> 'action' = 'acknowledged' THEN 'owned'
          ELSE 'free'
        END AS what,
        i.is_recipient_fault,
        i.is_fault_unknown,
        o.subscribers
      FROM audit a
      JOIN incidents i ON i.id = a.incident_id
      JOIN outbreaks o ON o.incident_id = a.incident_id AND o.number = a.outbreak
      WHERE a.incident_id IN ${idList(ids)}
        AND a.at <= ${to}
        AND (
          a.change ->> 'action' IN ('acknowledged', 'unacknowledged')
          OR (a.at >= ${from} AND a.change ->> 'action' IN ('began', 'back', 'critical'))
          OR (a.at >= ${from} AND a.change ->> 'action' = 'worse' AND a.change ->> 'badness' = 'every'))
      ORDER BY a.id`,
  );
  return rows.map((row) => ({ ...row, isGathered: isSingle(row) }));
}
