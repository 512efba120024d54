import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { type OutbreakRange, placeFailures } from './outbreak.ts';
import type { IncidentState } from './state.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 4, 12) + minutes * MINUTE_MS);
const failed = (...minutes: number[]) => minutes.map((minute) => ({ occurredAt: at(minute) }));
const HOURS = 60;

/** An outbreak from 0 to 5, which ended at 10. */
const first = { number: 1, coversFrom: null, lastFailedAt: at(5), recoversSince: null, endedAtService: at(10) };
const open = { ...first, endedAtService: null };
/** What was delivered at 8 proved that it recovers. */
const recovering = { ...open, recoversSince: at(8) };
/** It began at 20, with failures from 10 on. */
const second = {
  number: 2,
  coversFrom: at(10.001),
  lastFailedAt: at(25),
  recoversSince: null,
  endedAtService: null,
};

/** The outbreak of the failure, whether it begins that, and whether it makes it fail again. */
interface Expected {
  outbreak: number;
  begins?: true;
  again?: true;
}

describe('A failure', () => {
  test.each<[title: string, state: IncidentState, outbreaks: OutbreakRange[], failedAt: number, placed: Expected]>([
    ['goes on with what fires', 'firing', [open], 6, { outbreak: 1 }],
    ['wakes what is recovering', 'recovering', [open], 6, { outbreak: 1, again: true }],
    ['from before its last one wakes nothing that is recovering', 'recovering', [open], 4, { outbreak: 1 }],
    ['from before what proved the recovery, found late, wakes nothing', 'recovering', [recovering], 7, { outbreak: 1 }],
    ['after what proved the recovery wakes it', 'recovering', [recovering], 9, { outbreak: 1, again: true }],
    ['after the end begins an outbreak', 'resolved', [first], 20, { outbreak: 2, begins: true }],
    ['from before the end that is found later is of what ended', 'resolved', [first], 9, { outbreak: 1 }],
    ['from before the end counts there also once another began', 'firing', [second, first], 5, { outbreak: 1 }],
    ['between an end and a beginning within the hour is of the later', 'firing', [second, first], 15, { outbreak: 2 }],
    ['at the same time each night fails again', 'unconfirmed', [open], 24 * HOURS + 5, { outbreak: 1, again: true }],
    ['a day and more later begins an outbreak', 'unconfirmed', [open], 26 * HOURS + 5, { outbreak: 2, begins: true }],
  ])('%s', (_, state, outbreaks, failedAt, { outbreak, begins = false, again = false }) => {
    const { placed, begun, failsAgainAt } = placeFailures(state, outbreaks, failed(failedAt));
    expect([placed.map((each) => each.outbreak), begun.length === 1, failsAgainAt !== null]).toEqual([
      [outbreak],
      begins,
      again,
    ]);
  });

  test('more than an hour before a beginning, and after the end before it, is of the earlier outbreak', () => {
    const { begun } = placeFailures('resolved', [first], failed(100));
    expect(begun).toMatchObject([{ coversFrom: at(40), beganAt: at(100) }]);
    expect(placeFailures('firing', [...begun, first], failed(39, 41)).placed.map(({ outbreak }) => outbreak)).toEqual([
      1, 2,
    ]);
  });

  test('on a page with others is placed by its time', () => {
    const { placed, begun, failsAgainAt } = placeFailures('resolved', [first], failed(21, 4, 20));
    expect(placed.map(({ outbreak }) => outbreak)).toEqual([1, 2, 2]);
    expect([begun.length, failsAgainAt]).toEqual([1, null]);
  });
});
