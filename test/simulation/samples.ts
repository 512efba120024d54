import { eq } from 'drizzle-orm';
import { failures, incidents, outbreaks } from '../../src/incidents/tables.ts';
import { messageSubjects, slackMessages } from '../../src/outbox/tables.ts';
import type { Db } from '../../src/store/db.ts';
import { mutes, watches } from '../../src/watches/tables.ts';
import { broke, type Discrepancy } from './account.ts';
import type { Played } from './play.ts';
import type { StoryEvent } from './story.ts';
import { clock, MINUTE } from './virtual-time.ts';
import type { Switch } from './world.ts';

/** The store's rows at a true time: right before and after each poll, and around each edit of a watch. `now` is that time by Notif's clock. */
export type Sample = Awaited<ReturnType<typeof sampleOf>>;

export async function sampleOf(db: Db, at: number, nowMs: number) {
  return {
    at,
    now: new Date(nowMs),
    watches: await db.select().from(watches),
    incidents: await db.select().from(incidents).where(eq(incidents.kind, 'failures')),
    outbreaks: await db.select().from(outbreaks),
    failures: await db.select().from(failures).orderBy(failures.seq),
    mutes: await db.select().from(mutes),
    messages: await db.select().from(slackMessages),
    subjects: await db.select().from(messageSubjects),
  };
}

/** What fails after its incident was over is a new outbreak. */
export function seenIn({ samples, story, world }: Played): Discrepancy[] {
  const overSince = new Map<string, number | null>();
  const timely = UNTIMED.some((name) => world.has(name)) ? [] : story.events.filter(isTimely);
  const failsAt = new Map(timely.map((event) => [`job-${event.index}`, event.failsAt ?? 0]));
  const seen: Discrepancy[] = [];
  for (const { at, incidents, failures } of samples) {
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
