import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generatedEvents } from './generated-events.ts';

const FIRST = 1_000_000;
const LAST = FIRST + 119 * 10;
const events = generatedEvents({ firstAt: FIRST, everyMs: 10, failingOneIn: 4 });
const Event = z.looseObject({
  _id: z.string(),
  createdAt: z.coerce.date(),
  jobs: z.array(z.object({ status: z.string() })),
});
const read = (from: number, to: number, skip = 0, limit = 50) =>
  z.array(Event).parse(events.created(from, to, skip, limit));

describe('generated events', () => {
  test('are returned newest first, page by page, each once', () => {
    const pages = [0, 50, 100, 150].map((skip) => read(0, LAST, skip));
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20, 0]);
    const times = pages.flat().map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(Array.from({ length: 120 }, (_, place) => LAST - place * 10));
  });

  test('are in the requested time range, both ends included', () => {
    const time = fc.integer({ min: 999_900, max: LAST });
    fc.assert(
      fc.property(time, time, (from, to) => {
        const times = read(from, to, 0, 200).map(({ createdAt }) => createdAt.getTime());
        const all = Array.from({ length: 120 }, (_, place) => FIRST + place * 10);
        expect(times.toReversed()).toEqual(all.filter((at) => at >= from && at <= to));
      }),
    );
  });

  test('are the same when retrieved by their ID', () => {
    for (const event of read(0, LAST)) expect(events.byId(event._id)).toMatchObject({ _id: event._id });
  });

  test('fail at the given rate', () => {
    const all = read(0, LAST, 0, 120);
    expect(all.filter(({ jobs }) => jobs.some(({ status }) => status === 'failed'))).toHaveLength(30);
  });
});
