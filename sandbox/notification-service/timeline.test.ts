import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Row, Timeline, type Wanted } from './timeline.ts';

interface Letter extends Row {
  colours: readonly string[];
  size: string;
}

interface Model {
  timeline: Timeline<Letter>;
  /** In the order of arrival. */
  letters: Letter[];
}

const MOST = 40;

const colour = fc.constantFrom('red', 'green', 'blue');
const size = fc.constantFrom('small', 'large');
const looks = fc.record({ colours: fc.uniqueArray(colour), size });
const plan = fc.record({ at: fc.integer({ min: 0, max: 50 }), looks, change: fc.option(fc.tuple(fc.nat(60), looks)) });
const wanted = fc.record(
  {
    colours: fc.array(fc.oneof(colour, fc.constant('no such color')), { maxLength: 3 }),
    size: fc.tuple(size),
    transaction: fc.array(fc.constantFrom('tx-0', 'tx-1', 'tx-9'), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const bound = fc.integer({ min: -1, max: 51 });

/** A timeline with additions and changes, and a plain list with the same changes. */
const models = fc.array(plan, { maxLength: 60 }).map((plans): Model => {
  const keys = { colours: ({ colours }: Letter) => colours, size: (letter: Letter) => [letter.size] };
  const timeline = new Timeline<Letter>(keys, MOST);
  let letters: Letter[] = [];
  for (const [index, { at, looks, change }] of plans.entries()) {
    const letter = { id: `letter-${index}`, at, transactionId: `tx-${index % 3}`, ...looks };
    timeline.add(letter);
    letters = withoutOldest([...letters, letter]);
    const changed = letters[change?.[0] ?? -1];
    if (changed) Object.assign(changed, change?.[1]);
  }
  return { timeline, letters };
});

function withoutOldest(letters: readonly Letter[]): Letter[] {
  const [oldest] = letters.toSorted((a, b) => a.at - b.at);
  return letters.filter((letter) => letters.length <= MOST || letter !== oldest);
}

function newestFirst(letters: readonly Letter[]): Letter[] {
  return letters.toSorted((a, b) => a.at - b.at).reverse();
}

const isWanted = (letter: Letter, { colours, size, transaction }: Wanted) =>
  (colours?.some((one) => letter.colours.includes(one)) ?? true) &&
  (size?.includes(letter.size) ?? true) &&
  (transaction?.includes(letter.transactionId) ?? true);

describe('a timeline', () => {
  test('pages like a plain filter, sort and slice after any additions, changes and removals', () => {
    fc.assert(
      fc.property(
        models,
        bound,
        bound,
        fc.nat(20),
        fc.nat(20),
        wanted,
        ({ timeline, letters }, from, to, skip, limit, asked) => {
          const expected = newestFirst(letters).filter(
            (letter) => letter.at >= from && letter.at <= to && isWanted(letter, asked),
          );
          expect(timeline.page({ from, to }, skip, limit, asked)).toEqual(expected.slice(skip, skip + limit));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('counts the rows that it would show', () => {
    fc.assert(
      fc.property(models, wanted, ({ timeline, letters }, asked) => {
        expect(timeline.count(asked)).toBe(letters.filter((letter) => isWanted(letter, asked)).length);
        expect(timeline.size).toBe(letters.length);
      }),
    );
  });

  test('finds kept rows by ID and by transaction, oldest first', () => {
    const timeline = new Timeline({}, 4);
    for (const at of [3, 1, 2, 5, 4]) timeline.add({ id: `row-${at}`, at, transactionId: `tx-${at % 2}` });
    expect(timeline.byId('row-2')?.at).toBe(2);
    expect(timeline.byTransaction('tx-1').map(({ id }) => id)).toEqual(['row-3', 'row-5']);
    expect(timeline.byId('row-1')).toBeUndefined();
    expect(timeline.byTransaction('tx-9')).toEqual([]);
  });

  test('finds the newest matching row', () => {
    fc.assert(
      fc.property(models, size, ({ timeline, letters }, sought) => {
        expect(timeline.newest((letter) => letter.size === sought)).toBe(
          newestFirst(letters).find((letter) => letter.size === sought),
        );
      }),
    );
  });
});
