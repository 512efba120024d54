import { broke, type Discrepancy } from './account.ts';
import type { Played } from './play.ts';
import type { StoryEvent } from './story.ts';
import { clock, MINUTE } from './virtual-time.ts';
import type { Switch } from './world.ts';

/** Notif knows the service's clock roughly, and a poll takes a while: what fails so soon after an end may still be of what ended. */
const UNSURE_MS = 2 * MINUTE;

/** In these worlds, events have no true time to compare with. */
const UNTIMED: readonly Switch[] = ['no-date', 'clock-steps', 'service-clock-steps'];

/** Finds incidents whose outbreak was over, and which failed then without a new one. */
export function failedAfterEnd({ samples, story, world }: Played): Discrepancy[] {
  const timely = UNTIMED.some((name) => world.has(name)) ? [] : story.events.filter(isTimely);
  const failsAt = new Map(timely.map((event) => [`job-${event.index}`, event.failsAt ?? 0]));
  const overSince = new Map<string, number>();
  const found: Discrepancy[] = [];
  for (const { at, incidents, failures } of samples) {
    for (const { id, outbreak, state } of incidents) {
      const key = `${id} ${outbreak}`;
      if (state !== 'resolved') {
        overSince.delete(key);
        continue;
      }
      const since = overSince.get(key) ?? at;
      overSince.set(key, since);
      const isLate = ({ incidentId, jobId }: (typeof failures)[number]) =>
        incidentId === id && (failsAt.get(jobId) ?? 0) > since + UNSURE_MS;
      if (failures.some(isLate))
        found.push(broke('true', `#${id} was over at ${clock(since)}, and failed then without a new outbreak`));
    }
  }
  return found;
}

/** Whether the event's failure is alerted to, at its time. An incident that is only counted is resolved from its beginning. */
const isTimely = ({ hasTimes, before, fate, poison }: StoryEvent): boolean =>
  hasTimes && before === null && poison === null && ['refused', 'late-step', 'bounced'].includes(fate);
