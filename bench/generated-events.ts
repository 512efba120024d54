import { z } from 'zod';
import { eventPage } from './event-page.ts';

/** Which events there are: one every `everyMs` from `firstAt` on, without end. Times in milliseconds. */
export const Generation = z.object({
  firstAt: z.number(),
  everyMs: z.number(),
  /** One event in so many has a step that failed; 1: every one. */
  failingOneIn: z.number(),
});
export type Generation = z.infer<typeof Generation>;

export interface GeneratedEvents {
  /** `limit` events of the span, both ends included, newest first, after `skip` of them. */
  created(from: number, to: number, skip: number, limit: number): object[];
  byId(id: string): object;
}

const Template = z.looseObject({ jobs: z.array(z.looseObject({ executionDetails: z.array(z.looseObject({})) })) });
type Template = z.infer<typeof Template>;

/** Ways in which a step fails: as many groups as a bad day has. */
const CAUSES = ['550 mailbox unavailable', '421 try again later', 'certificate has expired', 'no route to host'];

/** When the events are created, which are counted from 0. */
export interface Timeline {
  timeOf(index: number): number;
  /** Where a time is among the events; a fraction between two of them, less than 0 before the first. */
  placeOf(time: number): number;
}

/** An event every `everyMs`. */
export function steadyTimeline({ firstAt, everyMs }: Pick<Generation, 'firstAt' | 'everyMs'>): Timeline {
  return { timeOf: (index) => firstAt + index * everyMs, placeOf: (time) => (time - firstAt) / everyMs };
}

export function generatedEvents(generation: Generation): GeneratedEvents {
  return eventsAlong(steadyTimeline(generation), (index) => index % generation.failingOneIn === 0);
}

/** Events like those of `eventPage`, each with an id, a transaction, a subscriber and a time of its own. */
export function eventsAlong({ timeOf, placeOf }: Timeline, fails: (index: number) => boolean): GeneratedEvents {
  const templates = z.object({ data: z.array(Template) }).parse(JSON.parse(eventPage())).data;

  function event(index: number): object {
    const template = templates[index % templates.length];
    if (template === undefined) throw new Error('The page of events is empty.');
    const id = hexId(index);
    const createdAt = new Date(timeOf(index)).toISOString();
    return {
      ...template,
      ...{ _id: id, transactionId: `txn_${id}`, createdAt, updatedAt: createdAt },
      to: { subscriberId: `user-${index}` },
      subscriber: { subscriberId: `user-${index}`, email: `person.${index}@example.com` },
      ...(fails(index) && { jobs: failed(template, index, createdAt) }),
    };
  }

  return {
    created(from, to, skip, limit) {
      const newest = Math.floor(placeOf(to)) - skip;
      const oldest = Math.max(Math.ceil(placeOf(from)), 0, newest - limit + 1);
      return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, place) => event(newest - place));
    },
    byId: (id) => event(Number.parseInt(id, 16)),
  };
}

/** The jobs with the last one failed. */
function failed({ jobs }: Template, index: number, createdAt: string): object[] {
  const cause = CAUSES[index % CAUSES.length] ?? '';
  const detail = { _id: hexId(index), createdAt, status: 'Failed', detail: 'Sending failed', source: 'Internal' };
  const executionDetails = [{ ...detail, isRetry: false, isTest: false, raw: JSON.stringify({ message: cause }) }];
  return jobs.map((job, place) =>
    place === jobs.length - 1 ? { ...job, status: 'failed', executionDetails, updatedAt: createdAt } : job,
  );
}

/** The id of the event that was created as the so-manieth, counted from 0. */
export function hexId(index: number): string {
  return index.toString(16).padStart(24, '0');
}
