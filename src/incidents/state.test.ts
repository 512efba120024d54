import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { type Evidence, effectOf, INCIDENT_STATES, type IncidentState, stateBy } from './state.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 4, 12) + minutes * MINUTE_MS);

/** An incident that failed for the last time at 0: 10 of 20. */
const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  ...{ state: 'firing', stateAt: at(-5), lastAt: at(0), foundAt: at(0), checkedTo: at(1) },
  ...{
    unchecked: [],
    isProvenByTime: false,
    isBounced: false,
    failures: 10,
    successesBefore: 10,
    successesAfter: 0,
    successesNeeded: null,
    ...change,
  },
});

describe('The state of an incident', () => {
  const recovering = { state: 'recovering', stateAt: at(5), checkedTo: at(15) } as const;
  test.for<[string, Partial<Evidence>, IncidentState]>([
    ['fires while it has been calm for less than five minutes', { checkedTo: at(4.9) }, 'firing'],
    ['is recovering after five calm minutes', { checkedTo: at(5) }, 'recovering'],
    ['fires for five minutes after a failure was found late', { foundAt: at(15), checkedTo: at(19.9) }, 'firing'],
    ['is recovering at once after ten deliveries', { successesAfter: 10 }, 'recovering'],
    ['fires with fewer deliveries', { successesAfter: 9 }, 'firing'],
    [
      'needs more deliveries if most went through meanwhile',
      { failures: 1, successesBefore: 99, successesAfter: 299 },
      'firing',
    ],
    [
      'is recovering with three times as many as it had a failure in',
      { failures: 1, successesBefore: 99, successesAfter: 300 },
      'recovering',
    ],
    ['is recovering at once if all of it was fine in the end', { failures: 0 }, 'recovering'],
    ['is then resolved without a delivery', { ...recovering, failures: 0 }, 'resolved'],
    ["of a recipient's own isn't calm by what others got", { isProvenByTime: true, successesAfter: 999 }, 'firing'],
    ['that bounces is not calm by what may still bounce', { isBounced: true, successesAfter: 999 }, 'firing'],
    ['recovers for ten more minutes', { ...recovering, checkedTo: at(14.9), successesAfter: 99 }, 'recovering'],
    ['is then resolved', { ...recovering, successesAfter: 6 }, 'resolved'],
    ['is unconfirmed without enough deliveries', { ...recovering, successesAfter: 5 }, 'unconfirmed'],
    ["of a recipient's own needs no delivery", { ...recovering, isProvenByTime: true }, 'resolved'],
    [
      'needs what it was found to need, whatever is pruned',
      { ...recovering, successesNeeded: 300, successesAfter: 299 },
      'unconfirmed',
    ],
    ['is confirmed later', { ...recovering, state: 'unconfirmed', successesAfter: 6 }, 'resolved'],
    ['stays resolved', { state: 'resolved', checkedTo: at(999) }, 'resolved'],
  ])('%s', ([, change, state]) => {
    expect(stateBy(evidence(change))).toBe(state);
  });

  test('takes no time that was not checked for calm', () => {
    const minutes = fc.nat(60);
    fc.assert(
      fc.property(minutes, fc.array(fc.tuple(minutes, minutes), { maxLength: 5 }), (checked, gaps) => {
        const unchecked = gaps.map(([from, length]) => ({ from: at(from), to: at(from + length) }));
        const calm = Array.from({ length: checked }, (_, minute) => minute).filter(
          (minute) => !unchecked.some(({ from, to }) => at(minute) >= from && at(minute) < to),
        ).length;
        expect(stateBy(evidence({ checkedTo: at(checked), unchecked }))).toBe(calm >= 5 ? 'recovering' : 'firing');
      }),
    );
  });
});

test('Only a failure after the end of a resolved incident is a relapse, and a late one changes nothing', () => {
  const minute = fc.integer({ min: -30, max: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...INCIDENT_STATES), minute, (state, failed) => {
      const effect = effectOf({ state, lastAt: at(0), endedAt: at(10) }, at(failed));
      const isLater = failed > (state === 'resolved' ? 10 : 0);
      const expected = state === 'resolved' ? 'relapses' : 'fires';
      expect(effect).toBe(state !== 'firing' && isLater ? expected : 'stays');
    }),
  );
});

test.each([
  [59, 'fires'],
  [60, 'relapses'],
])('What fails again after %i calm minutes of an unconfirmed recovery %s', (minutes, effect) => {
  expect(effectOf({ state: 'unconfirmed', lastAt: at(0), endedAt: at(15) }, at(minutes))).toBe(effect);
  expect(effectOf({ state: 'recovering', lastAt: at(0), endedAt: at(15) }, at(minutes))).toBe('fires');
});
