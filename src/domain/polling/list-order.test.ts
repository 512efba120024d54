import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEvent, at } from '../service/event.testing.ts';
import type { TimeRange } from '../time/time-range.ts';
import { beginWalk, hasNoOrder, isOrdered, leftOf, withPage } from './list-order.ts';

const WINDOW = { from: at(0), to: at(100) };

/** Returns the pages of a list of events, each named and dated by a second. */
function pagesOf(seconds: readonly (number | null)[], size: number) {
  const events = seconds.map((second, index) =>
    anEvent({ id: `${index}`, createdAt: second === null ? null : at(second) }),
  );
  return Array.from({ length: Math.ceil(events.length / size) }, (_, page) => ({
    items: events.slice(page * size, (page + 1) * size),
    unreadable: [],
    hasMore: true,
  }));
}

function leftAfter(seconds: readonly (number | null)[], pages: number, size = 2): TimeRange | null {
  return leftOf(WINDOW, pagesOf(seconds, size).slice(0, pages).reduce(withPage, beginWalk()));
}

describe('the unchecked rest of a window', () => {
  test('is all of it before the first page', () => {
    expect(leftAfter([], 0)).toEqual(WINDOW);
  });

  test('is what is older if the list is newest first', () => {
    expect(leftAfter([90, 80, 70, 60], 1)).toEqual({ from: at(0), to: at(80) });
  });

  test('is what is newer if the list is oldest first', () => {
    expect(leftAfter([10, 20, 30, 40], 2)).toEqual({ from: at(40), to: at(100) });
  });

  test('is the same whether or not an event between has no time', () => {
    expect(leftAfter([90, null, 80, 70], 2)).toEqual({ from: at(0), to: at(70) });
  });

  test.each([
    ['has no order', [50, 90, 10, 40]],
    ['changes its order', [90, 80, 80, 95]],
    ['shows nothing but ties', [50, 50, 50, 50]],
    ['shows no times', [null, null, null, null]],
  ])('is all of it if the list %s', (_, seconds) => {
    expect(leftAfter(seconds, 2)).toEqual(WINDOW);
  });

  test('is nothing once the list is beyond the end of the window', () => {
    expect(leftAfter([90, -1], 1)).toBeNull();
    expect(leftAfter([10, 101], 1)).toBeNull();
  });

  test('is a moment if the list has come to the end of the window, since others may be of the same time', () => {
    expect(leftAfter([90, 0], 1)).toEqual({ from: at(0), to: at(0) });
  });

  test("isn't moved back by a page that repeats events because others were listed late", () => {
    const [first, second] = pagesOf([90, 80, 70, 60], 2);
    if (first === undefined || second === undefined) throw new Error('two pages');
    const walk = [first, second, second].reduce(withPage, beginWalk());
    expect(leftOf(WINDOW, walk)).toEqual({ from: at(0), to: at(60) });
  });

  test('contains every event that was not shown, wherever an ordered list is cut', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 30 });
    fc.assert(
      fc.property(seconds, fc.boolean(), fc.integer({ min: 1, max: 7 }), fc.nat(10), (some, isAscending, size, cut) => {
        const sorted = some.toSorted((a, b) => (isAscending ? a - b : b - a));
        const left = leftAfter(sorted, cut, size);
        const isLeft = (second: number) => left !== null && at(second) >= left.from && at(second) <= left.to;
        expect(sorted.slice(cut * size).filter((second) => !isLeft(second))).toEqual([]);
      }),
    );
  });

  test('shrinks with each page whose events differ in time', () => {
    const walk = pagesOf([9, 9, 8, 8], 2).reduce(withPage, beginWalk());
    expect(isOrdered(walk)).toBe(true);
    expect(leftOf(WINDOW, walk)).toEqual({ from: at(0), to: at(8) });
  });
});

test.for([
  [[90, 80, 80, 95], true],
  [[50, 90, 10, 40], true],
  [[90, 80, 80, 70], false],
  [[10, 20, 30, 40], false],
  [[50, 50, 50, 50], false],
] as const)('a list of %o has no order: %s', ([seconds, has]) => {
  expect(hasNoOrder(pagesOf(seconds, 2).reduce(withPage, beginWalk()))).toBe(has);
});
