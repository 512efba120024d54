import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from './event.testing.ts';
import { dueSweeps, firstSweeps, nextChunkMs, type Swept, sweepAges } from './sweeps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HORIZON = 72 * HOUR;
const NOW = at(0);
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the ages at which settled events are read again', () => {
  test('end with the horizon', () => {
    expect(sweepAges(HORIZON).map((age) => age / MINUTE)).toEqual([2, 10, 60, 360, 1440, 4320]);
    expect(sweepAges(HOUR).map((age) => age / MINUTE)).toEqual([2, 10, 60]);
  });

  test('begin with the coverage, and with what reaches them from now on', () => {
    expect(firstSweeps(ago(HOUR), NOW, 6 * HOUR)).toEqual([
      { ageMs: 2 * MINUTE, sweptTo: ago(2 * MINUTE) },
      { ageMs: 10 * MINUTE, sweptTo: ago(10 * MINUTE) },
      { ageMs: HOUR, sweptTo: ago(HOUR) },
      { ageMs: 6 * HOUR, sweptTo: ago(HOUR) },
    ]);
  });
});

describe('a sweep', () => {
  test('is due for what has reached its age since the last one', () => {
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + MINUTE) }], NOW)).toEqual([
      { ageMs: HOUR, from: ago(HOUR + MINUTE), to: ago(HOUR) },
    ]);
  });

  test('waits until that is half a minute', () => {
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + 29_999) }], NOW)).toEqual([]);
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + 30_000) }], NOW)).toHaveLength(1);
  });

  test('goes first when it is late by the greatest share of its age', () => {
    const swept = [HOUR, 2 * MINUTE].map((ageMs) => ({ ageMs, sweptTo: ago(ageMs + MINUTE) }));
    expect(dueSweeps(swept, NOW).map(({ ageMs }) => ageMs)).toEqual([2 * MINUTE, HOUR]);
  });

  test('reads each event once after a long absence, up to twice the horizon', () => {
    const swept = sweepAges(HORIZON).map((ageMs) => ({ ageMs, sweptTo: ago(ageMs + 200 * HOUR) }));
    const due = dueSweeps(swept, NOW).sort((a, b) => a.ageMs - b.ageMs);
    expect(due.slice(1).map(({ to }) => to)).toEqual(due.slice(0, -1).map(({ from }) => from));
    expect(due.at(-1)?.from).toEqual(ago(144 * HOUR));
  });

  test('sees every event after each age, before the next, whenever the rounds come', () => {
    const rounds = fc.array(fc.integer({ min: 1_000, max: 30 * HOUR }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(rounds, fc.integer({ min: 0, max: 80 * HOUR }), (pauses, created) => {
        let now = 0;
        let swept: readonly Swept[] = firstSweeps(new Date(0), new Date(0), HORIZON);
        const readAt: number[] = [];
        for (const pause of pauses) {
          now += pause;
          for (const { ageMs, from, to } of dueSweeps(swept, new Date(now))) {
            if (created >= from.getTime() && created < to.getTime()) readAt.push(now - created);
            swept = swept.map((one) => (one.ageMs === ageMs ? { ageMs, sweptTo: to } : one));
          }
        }
        const reached = sweepAges(HORIZON).filter((ageMs) => now - created >= ageMs + MINUTE / 2);
        for (const ageMs of reached) expect(readAt.some((age) => age >= ageMs)).toBe(true);
      }),
    );
  });
});

test('sweeps in longer chunks after few pages, in shorter ones after many', () => {
  expect(nextChunkMs(null)).toBe(MINUTE);
  expect(nextChunkMs({ lengthMs: MINUTE, pages: 1 })).toBe(2 * MINUTE);
  expect(nextChunkMs({ lengthMs: MINUTE, pages: 20 })).toBe(MINUTE);
  expect(nextChunkMs({ lengthMs: MINUTE, pages: 200 })).toBe(MINUTE / 2);
});
