import { sql } from 'drizzle-orm';

/*
 * A message is waiting, posting, then posted or gone. One that was begun and not settled is claimed again with `unresolved_since`:
 * nobody knows whether Slack has it, so it is looked for before it's posted. In the statements below a message is `m`.
 */

/** Longer than a post takes, with its names and, if they are refused, without its blocks. Then another replica looks for it before it posts. */
export const POSTING_LEASE_MS = 30_000;

export const LONGEST_RETRY_MS = 5 * 60_000;

export const NEWS_DAYS = 8;

/** The last refusal of a message since which quiet hours or a mute have begun. */
export const SILENCED = 'silenced';

export const channelOf = (message: string) =>
  `coalesce(${message}.recipient, (SELECT channel FROM watches w WHERE w.id = ${message}.watch_id))`;

/** Replicas' clocks may differ. */
export const leaseOf = (ms: number) => `clock_timestamp() + interval '${ms} milliseconds'`;
/** Nor is a lease longer than that: the database's clock was set back since. */
const LONGEST_LEASE_MS = 2 * LONGEST_RETRY_MS;
export const IS_FREE = sql.raw(
  `coalesce(m.leased_until <= clock_timestamp() OR m.leased_until > ${leaseOf(LONGEST_LEASE_MS)}, true)`,
);

const HAS_PLACE = `(m.thread_of IS NULL
  OR EXISTS (SELECT FROM messages parent WHERE parent.id = m.thread_of AND parent.state = 'posted' AND parent.ts <> ''))`;

const IS_WANTED = `(m.watch_id IS NULL OR m.kind = 'watch-ended' OR EXISTS (SELECT FROM watches w WHERE w.id = m.watch_id AND w.ended_at IS NULL))`;

export const LIVE = "m.state = 'posted' AND NOT m.is_frozen";
export const PENDING = `m.state IN ('waiting', 'posting') AND ${IS_WANTED} AND ${HAS_PLACE}`;

/** While nobody knows whether Slack has a digest, no other of its watch and environment is begun. */
export const IS_NEXT = `(m.kind <> 'digest' OR m.begun_at IS NOT NULL OR m.unresolved_since IS NOT NULL OR NOT EXISTS (
  SELECT FROM messages o WHERE o.watch_id = m.watch_id AND o.kind = 'digest' AND o.environment = m.environment AND o.id <> m.id
    AND (o.state = 'posting' OR (o.state = 'waiting' AND o.unresolved_since IS NOT NULL))))`;
