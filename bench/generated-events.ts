import { z } from 'zod';
import { eventPage } from './event-page.ts';

/** Defines the events: one every `everyMs`, beginning at `firstAt`, without an end. Times in milliseconds. */
export const Generation = z.object({
  firstAt: z.number(),
  everyMs: z.number(),
  /** One in this many events has a failed step. */
  failingOneIn: z.number(),
});
export type Generation = z.infer<typeof Generation>;

interface GeneratedEvents {
  /** Returns `limit` events of a time range, both ends included, newest first, after skipping `skip` of them. */
  created(from: number, to: number, skip: number, limit: number): object[];
  byId(id: string): object;
}

const Template = z.looseObject({ jobs: z.array(z.looseObject({ executionDetails: z.array(z.looseObject({})) })) });
type Template = z.infer<typeof Template>;

/** The errors of failed events, in turn: as many causes as on a bad day. */
const CAUSES = ['550 mailbox unavailable', '421 try again later', 'certificate has expired', 'no route to host'];

/** Generates events like those of `eventPage`, each with its own ID, transaction, subscriber and time. Events are numbered from 0. */
export function generatedEvents({ firstAt, everyMs, failingOneIn }: Generation): GeneratedEvents {
  const templates = z.array(Template).parse(eventPage());

  function event(index: number): object {
    const template = templates[index % templates.length];
    if (template === undefined) throw new Error('The page of events is empty.');
    const id = hexId(index);
    const createdAt = new Date(firstAt + index * everyMs).toISOString();
    return {
      ...template,
      _id: id,
      transactionId: `txn_${id}`,
      createdAt,
      updatedAt: createdAt,
      to: { subscriberId: `user-${index}` },
      subscriber: { subscriberId: `user-${index}`, email: `person.${index}@example.com` },
      ...(index % failingOneIn === 0 && {
        jobs: jobsWithFailure(template, { index, createdAt, cause: CAUSES[(index / failingOneIn) % CAUSES.length] }),
      }),
    };
  }

  return {
    created(from, to, skip, limit) {
      const newest = Math.floor((to - firstAt) / everyMs) - skip;
      const oldest = Math.max(Math.ceil((from - firstAt) / everyMs), 0, newest - limit + 1);
      return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, place) => event(newest - place));
    },
    byId: (id) => event(Number.parseInt(id, 16)),
  };
}

interface PlannedFailure {
  index: number;
  createdAt: string;
  cause: string | undefined;
}

function jobsWithFailure({ jobs }: Template, { index, createdAt, cause }: PlannedFailure): object[] {
  const detail = { _id: hexId(index), createdAt, status: 'Failed', detail: 'Sending failed', source: 'Internal' };
  const executionDetails = [{ ...detail, isRetry: false, isTest: false, raw: JSON.stringify({ message: cause }) }];
  return jobs.map((job, place) =>
    place === jobs.length - 1 ? { ...job, status: 'failed', executionDetails, updatedAt: createdAt } : job,
  );
}

/** Returns an event's ID from its position in order of creation, counted from 0. */
export function hexId(index: number): string {
  return index.toString(16).padStart(24, '0');
}
