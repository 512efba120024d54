import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Row, Timeline } from './store.ts';

function timelineOf(times: readonly number[]): Timeline<Row> {
  const timeline = new Timeline<Row>();
  for (const [index, at] of times.entries()) timeline.add({ id: `row-${index}`, at, transactionId: `tx-${index % 3}` });
  return timeline;
}

const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
const bound = fc.integer({ min: -1, max: 51 });

describe('a timeline', () => {
  it('pages like a plain filter, sort and slice, whatever order the rows came in', () => {
    fc.assert(
      fc.property(
        times,
        bound,
        bound,
        fc.nat(20),
        fc.nat(20),
        fc.boolean(),
        (created, from, to, skip, limit, filtered) => {
          const matches = filtered ? (row: Row) => row.at % 2 === 0 : undefined;
          const page = timelineOf(created).page({ from, to }, skip, limit, matches);
          const expected = created
            .filter((at) => at >= from && at <= to && (!filtered || at % 2 === 0))
            .sort((a, b) => b - a);
          expect(page.map(({ at }) => at)).toEqual(expected.slice(skip, skip + limit));
        },
      ),
    );
  });

  it('shows every row once over pages of any size', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 25 }), (created, limit) => {
        const timeline = timelineOf(created);
        const pages = Array.from({ length: created.length + 1 }, (_, page) =>
          timeline.page({ from: 0, to: 50 }, page * limit, limit),
        );
        expect(new Set(pages.flat()).size).toBe(created.length);
        expect(pages.flat()).toHaveLength(created.length);
      }),
    );
  });

  it('finds rows by id and by transaction', () => {
    const timeline = timelineOf([3, 1, 2, 5]);
    expect(timeline.byId('row-2')?.at).toBe(2);
    expect(timeline.byTransaction('tx-0').map(({ id }) => id)).toEqual(['row-0', 'row-3']);
    expect(timeline.byId('row-9')).toBeUndefined();
    expect(timeline.byTransaction('tx-9')).toEqual([]);
  });
});
