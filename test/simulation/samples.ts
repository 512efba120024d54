import { eq } from 'drizzle-orm';
import { failures, incidents, outbreaks } from '../../src/incidents/tables.ts';
import { messageSubjects, slackMessages } from '../../src/outbox/tables.ts';
import { CountRow, type Db } from '../../src/store/db.ts';
import { mutes, watches } from '../../src/watches/tables.ts';
import { broke, type Discrepancy } from './account.ts';
import type { Played } from './play.ts';
import type { StoryEvent } from './story.ts';
import { clock } from './virtual-time.ts';
import type { Switch } from './world.ts';

const MINUTE = 60_000;

/** The store's rows at a true time: right before and after each poll, and around each edit of a watch. `now` is that time by Notif's clock. */
export type Sample = Awaited<ReturnType<typeof sampleOf>>;

export async function sampleOf(db: Db, at: number, nowMs: number) {
  return {
    ...{ at, now: new Date(nowMs) },
    watches: await db.select().from(watches),
    incidents: await db.select().from(incidents).where(eq(incidents.kind, 'failures')),
    outbreaks: await db.select().from(outbreaks),
    failures: await db.select().from(failures).orderBy(failures.seq),
    mutes: await db.select().from(mutes),
    messages: await db.select().from(slackMessages),
    subjects: await db.select().from(messageSubjects),
  };
}

/** Whether failures of a minute are recorded and its events are not counted, but for what gaps cut in two and what is before the first slice. */
export const isUncounted = async (db: Db) => ((await db.rows(CountRow, UNCOUNTED))[0]?.count ?? 0) > 0;

const UNCOUNTED = `
  SELECT count(*) FROM (SELECT date_trunc('minute', event_created_at, 'UTC') AS minute, count(DISTINCT event_key) AS failing
    FROM failures WHERE extract(second FROM event_created_at) < 59 GROUP BY 1) f
  WHERE failing > (SELECT coalesce(sum(events), 0) FROM event_counts e WHERE e.minute = f.minute) AND NOT EXISTS (SELECT FROM gaps)`;

/** Of a watch's digests at most one has an unknown outcome and one waits for it; what fails after its incident was over is a new outbreak. */
export function seenIn({ samples, story, world, uncountedAt }: Played, isCountable: boolean): Discrepancy[] {
  const overSince = new Map<string, number | null>();
  const timely = UNTIMED.some((name) => world.has(name)) ? [] : story.events.filter(isTimely);
  const failsAt = new Map(timely.map((event) => [`job-${event.index}`, event.failsAt ?? 0]));
  const uncounted = isCountable ? uncountedAt : [];
  const seen = uncounted.map((at) => broke('counted', `failures were recorded by ${clock(at)} without their events`));
  for (const { at, watches, messages, incidents, failures } of samples) {
    for (const { id, channel, endedAt } of watches) {
      const digests = messages.filter(({ owner, kind }) => owner === id && kind === 'digest');
      const waiting = digests.filter(({ state }) => state === 'waiting' || state === 'posting').length;
      if (waiting > 2 && endedAt === null)
        seen.push(broke('posted-once', `${waiting} messages to ${channel} wait at ${clock(at)}`));
    }
    for (const { id, outbreak, state } of incidents) {
      const since = state === 'resolved' ? (overSince.get(`${id} ${outbreak}`) ?? at) : null;
      overSince.set(`${id} ${outbreak}`, since);
      const its = failures.filter(({ incidentId }) => since !== null && incidentId === id);
      if (its.some(({ jobId }) => (failsAt.get(jobId) ?? 0) > (since ?? at) + 2 * MINUTE))
        seen.push(broke('true', `#${id} was over at ${clock(since ?? at)}, and failed then without a new outbreak`));
    }
  }
  return seen;
}

/** Whether the event's failure is alerted to, at its time: an incident that is only counted is over from the beginning. */
const isTimely = ({ hasTimes, before, fate, poison }: StoryEvent) =>
  hasTimes && before === null && poison === null && ['refused', 'late-step', 'bounced'].includes(fate);
const UNTIMED: readonly Switch[] = ['no-date', 'clock-steps', 'service-clock-steps'];
