import { z } from 'zod';
import { StoredTime } from '../store/columns.ts';

/** Maps a pass's age to the service's time that it has read to. */
export type ReadTo = ReadonlyMap<number, Date>;

/** The key of a map from which something was left out that can't be read. */
export const LEFT_OUT = -1;

const Age = z.string().regex(/^\d+$/);

export const ReadTo = z
  .record(Age, StoredTime)
  .transform((times): ReadTo => new Map(Object.entries(times).map(([age, time]) => [Number(age), time])));

/** Returns what can be read, with `LEFT_OUT`. */
export function readableReadTo(stored: unknown): ReadTo {
  const entries = Object.entries(Object(stored)).flatMap((entry) => {
    const read = ReadTo.safeParse(Object.fromEntries([entry]));
    return read.success ? [...read.data] : [];
  });
  return new Map([...entries, [LEFT_OUT, new Date(0)]]);
}
