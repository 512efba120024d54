import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../lib/time/durations.ts';
import { type Joinable, join } from './join.ts';

const at = (hours: number) => new Date(Date.UTC(2026, 2, 4, 12) + hours * HOUR_MS);
const failed = (...hours: number[]) =>
  hours.map((hour) => ({ occurredAt: at(hour), key: 'limit', wordingKey: 'limit reached', from: null }));
const incident = (id: number, first: number, last: number, change: Partial<Joinable> = {}): Joinable => ({
  id,
  key: 'limit',
  wordingKeys: [],
  isOpen: false,
  isMoved: false,
  joinableTo: null,
  firstAt: at(first),
  lastAt: at(last),
  ...change,
});
const hoursOf = (items: readonly { occurredAt: Date }[]) =>
  items.map(({ occurredAt }) => (occurredAt.getTime() - at(0).getTime()) / HOUR_MS);

describe('Failures of a cause', () => {
  test('less than 26 hours apart are one incident, so that each night is, and the others begin one each', () => {
    const { joined, begun } = join(failed(80, 0, 24, 48, 106), []);
    expect(joined).toEqual([]);
    expect(begun.map(hoursOf)).toEqual([[0, 24, 48], [80], [106]]);
  });

  test('join the newest known incident near them, before it as well as after', () => {
    const { joined, begun } = join(failed(-24, 24, 48), [incident(1, -48, -30), incident(2, 0, 0)]);
    expect(joined.map(({ id, items }) => [id, ...hoursOf(items)])).toEqual([[2, -24, 24, 48]]);
    expect(begun).toEqual([]);
  });

  test.each<[which: string, first: Partial<Joinable>, second: Partial<Joinable>, joinedId: number]>([
    ['the open one before one that ended later', { isOpen: true }, {}, 1],
    ['the one of their wording, whatever explains it by now', { key: 'other', wordingKeys: ['limit reached'] }, {}, 1],
    [
      'an open one of their cause before an ended one of their wording',
      { isOpen: true },
      { wordingKeys: ['limit reached'] },
      1,
    ],
    ['none of another cause and wording', { key: 'other', wordingKeys: ['other'], isOpen: true }, {}, 2],
  ])('join %s', (_, first, second, joinedId) => {
    const { joined } = join(failed(1), [incident(1, 0, 0, first), incident(2, 0, 0, second)]);
    expect(joined).toMatchObject([{ id: joinedId }]);
  });

  test("after the end of a recipient's own trouble are another incident's, and before it that one's", () => {
    const { joined, begun } = join(failed(1, 3), [incident(1, 0, 2, { joinableTo: at(2) })]);
    expect(joined.map(({ items }) => hoursOf(items))).toEqual([[1]]);
    expect(begun.map(hoursOf)).toEqual([[3]]);
  });

  const hours = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 });

  test('share incidents whatever their order on a page', () => {
    fc.assert(
      fc.property(
        hours.chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length }))),
        ([some, shuffled]) => {
          expect(join(failed(...shuffled), []).begun.map(hoursOf)).toEqual(
            join(failed(...some), []).begun.map(hoursOf),
          );
        },
      ),
    );
  });

  test('share incidents whatever the pages they come in, if those are in the order of time', () => {
    fc.assert(
      fc.property(hours, fc.nat(200), (some, cut) => {
        const pages = [some.filter((hour) => hour <= cut), some.filter((hour) => hour > cut)];
        expect(inPages(pages)).toEqual(join(failed(...some), []).begun.map(hoursOf));
      }),
    );
  });

  test('are kept once in any order of pages, none has 26 hours without a failure, and a day is one', () => {
    fc.assert(
      fc.property(fc.array(hours, { minLength: 1, maxLength: 5 }), fc.constantFrom(24, 200), (pages, within) => {
        const near = pages.map((page) => page.map((hour) => hour % (within + 1)));
        const incidents = inPages(near);
        expect(incidents.flat().toSorted()).toEqual(near.flat().toSorted());
        for (const its of incidents)
          for (const [index, hour] of its.entries()) expect(hour - (its[index - 1] ?? hour)).toBeLessThan(26);
        if (within === 24) expect(incidents).toHaveLength(1);
      }),
    );
  });

  /** The failures of each incident, the earliest first. */
  function inPages(pages: readonly (readonly number[])[]): number[][] {
    const incidents: number[][] = [];
    for (const page of pages) {
      const known = incidents.map((its, id) => incident(id, Math.min(...its), Math.max(...its)));
      const { joined, begun } = join(failed(...page), known);
      for (const { id, items } of joined) incidents[id]?.push(...hoursOf(items));
      incidents.push(...begun.map(hoursOf));
    }
    return incidents.map((its) => its.toSorted((a, b) => a - b)).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  }
});
