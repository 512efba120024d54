import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from './event.testing.ts';
import { chunksAt, chunksOf, dueSweeps, firstSweeps, type Swept, sweepAges, waitAt } from './sweeps.ts';

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
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + 5 * MINUTE) }], NOW)).toEqual([
      { ageMs: HOUR, from: ago(HOUR + 5 * MINUTE), to: ago(HOUR) },
    ]);
  });

  test('waits until that is a twentieth of the age, between half a minute and ten minutes', () => {
    expect(sweepAges(HORIZON).map((ageMs) => waitAt(ageMs) / MINUTE)).toEqual([0.5, 0.5, 3, 10, 10, 10]);
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + 3 * MINUTE - 1) }], NOW)).toEqual([]);
    expect(dueSweeps([{ ageMs: HOUR, sweptTo: ago(HOUR + 3 * MINUTE) }], NOW)).toHaveLength(1);
  });

  test('goes first when it is late by the greatest share of its age', () => {
    const swept = [HOUR, 2 * MINUTE].map((ageMs) => ({ ageMs, sweptTo: ago(ageMs + 5 * MINUTE) }));
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
        const reached = sweepAges(HORIZON).filter((ageMs) => now - created >= ageMs + waitAt(ageMs));
        for (const ageMs of reached) expect(readAt.some((age) => age >= ageMs)).toBe(true);
      }),
    );
  });
});

describe('the chunks of a sweep', () => {
  const minute = (number: number, events: number) => ({ minute: new Date(number * MINUTE), events });
  const window = { from: new Date(30_000), to: new Date(60 * MINUTE - 30_000) };

  test('hold a thousand events at most, where a minute has no more', () => {
    expect(chunksOf(window, [minute(0, 600), minute(7, 400), minute(8, 1), minute(59, 5_000)])).toEqual([
      { from: window.from, to: new Date(8 * MINUTE) },
      { from: new Date(8 * MINUTE), to: new Date(9 * MINUTE) },
      { from: new Date(59 * MINUTE), to: window.to },
    ]);
  });

  test('are none where nothing was created', () => {
    expect(chunksOf(window, [])).toEqual([]);
  });

  test('take in all of a window while it is young, whether events are known or not', () => {
    const counts = [minute(7, 600), minute(8, 600)];
    const parts = (...minutes: number[]) =>
      minutes.slice(1).map((to, index) => ({
        from: new Date((minutes[index] ?? 0) * MINUTE),
        to: new Date(to * MINUTE),
      }));
    expect(chunksAt(10 * MINUTE, window, counts)).toEqual(parts(0.5, 8, 18, 28, 38, 48, 58, 59.5));
    expect(chunksAt(2 * MINUTE, window, [])).toEqual(parts(0.5, 10.5, 20.5, 30.5, 40.5, 50.5, 59.5));
    expect(chunksAt(HOUR, window, [])).toEqual([]);
    expect(chunksAt(HOUR, window, counts)).toEqual(chunksOf(window, counts));
  });

  test('take in every minute with events once, in their order', () => {
    const counts = fc
      .uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1 })
      .chain((numbers) =>
        fc.tuple(
          ...numbers.sort((a, b) => a - b).map((number) => fc.nat(1_500).map((events) => minute(number, events))),
        ),
      );
    fc.assert(
      fc.property(counts, (minutes) => {
        const chunks = chunksOf({ from: new Date(0), to: new Date(60 * MINUTE) }, minutes);
        const chunksWith = (at: Date) => chunks.filter(({ from, to }) => from <= at && at < to).length;
        for (const { minute: at } of minutes) expect(chunksWith(at)).toBe(1);
        const ends = chunks.flatMap(({ from, to }) => [from, to]);
        expect(ends).toEqual([...ends].sort((a, b) => a.getTime() - b.getTime()));
      }),
    );
  });
});
