import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { type Evidence, type IncidentState, stateBy, type WorkflowEvidence } from './state.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 4, 12) + minutes * MINUTE_MS);

const A_DAY = 24 * 60;

/** A workflow that failed for the last time at 0: 10 of 20. */
const workflow = (change: Partial<WorkflowEvidence> = {}): WorkflowEvidence => ({
  workflow: 'order-shipped',
  failures: 10,
  lastFailedAt: at(0),
  successesBefore: 10,
  successesAfter: 0,
  lastSuccessAt: null,
  successesNeeded: null,
  usualPauseMs: null,
  ...change,
});

const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  state: 'firing',
  stateAt: at(-5),
  lastAt: at(0),
  foundAt: at(0),
  checkedTo: at(1),
  lookedTo: change.checkedTo ?? at(1),
  unchecked: [],
  proof: 'successes',
  failures: 10,
  workflows: [workflow()],
  horizonMs: 3 * DAY_MS,
  ...change,
});

describe('The state of an incident', () => {
  const recovering = { state: 'recovering', stateAt: at(5), checkedTo: at(15) } as const;
  const delivered = (successesAfter: number, change: Partial<WorkflowEvidence> = {}) => ({
    workflows: [workflow({ successesAfter, lastSuccessAt: at(14), ...change })],
  });
  const rareAnd = (rare: Partial<WorkflowEvidence>) => ({
    workflows: [workflow({ workflow: 'busy', successesAfter: 200, lastSuccessAt: at(14) }), workflow(rare)],
  });
  const mostlyDelivered = { failures: 1, successesBefore: 99 };
  test.for<[string, Partial<Evidence>, IncidentState]>([
    ['fires while it has been calm for less than five minutes', { checkedTo: at(4.9) }, 'firing'],
    ['is recovering after five calm minutes', { checkedTo: at(5) }, 'recovering'],
    ['fires for five minutes after a failure was found late', { foundAt: at(15), checkedTo: at(19.9) }, 'firing'],
    ['is recovering at once after ten deliveries', delivered(10), 'recovering'],
    ['fires with fewer deliveries', delivered(9), 'firing'],
    ['fires while one of its workflows was not delivered', rareAnd({}), 'firing'],
    ['needs more deliveries if most went through meanwhile', delivered(299, mostlyDelivered), 'firing'],
    // By the rule of three: 3 ÷ (1 of 100).
    ['is recovering with three times as many as it had a failure in', delivered(300, mostlyDelivered), 'recovering'],
    ['is recovering at once if all of it was fine in the end', { failures: 0 }, 'recovering'],
    ['is resolved ten minutes later without a delivery', { ...recovering, failures: 0 }, 'resolved'],
    ["of a recipient's own isn't calm by what others got", { proof: 'time', ...delivered(999) }, 'firing'],
    [
      'that is stuck fires for as long as its steps are read',
      { proof: 'steps', checkedTo: at(3 * A_DAY - 1) },
      'firing',
    ],
    ['that is stuck recovers once its steps ended', { proof: 'steps', failures: 0 }, 'recovering'],
    ['recovers for ten more minutes', { ...recovering, ...delivered(99), checkedTo: at(14.9) }, 'recovering'],
    // By the rule of three: 3 ÷ (10 of 20).
    ['is then resolved', { ...recovering, ...delivered(6) }, 'resolved'],
    [
      'recovers for as long as late failures were not looked for',
      { ...recovering, ...delivered(6), lookedTo: at(14.9) },
      'recovering',
    ],
    // Until half an hour after the last delivery, at 14.
    ['waits for the next try of what failed', { ...recovering, ...delivered(5), checkedTo: at(43) }, 'recovering'],
    ['waits for each of its workflows', { ...recovering, ...rareAnd({}), checkedTo: at(29) }, 'recovering'],
    [
      'is unconfirmed if one is not tried for half an hour',
      { ...recovering, ...rareAnd({}), checkedTo: at(30) },
      'unconfirmed',
    ],
    [
      'waits twice the usual pause of what is tried less often',
      { ...recovering, ...rareAnd({ usualPauseMs: 60 * MINUTE_MS }), checkedTo: at(119) },
      'recovering',
    ],
    [
      'waits a day at most',
      { ...recovering, ...rareAnd({ usualPauseMs: 9 * DAY_MS }), checkedTo: at(A_DAY) },
      'unconfirmed',
    ],
    ["of a recipient's own needs no delivery", { ...recovering, proof: 'time' }, 'resolved'],
    [
      'needs what it was found to need, whatever is pruned',
      { ...recovering, ...delivered(299, { successesNeeded: 300 }), checkedTo: at(44) },
      'unconfirmed',
    ],
    ['is confirmed later', { ...recovering, ...delivered(6), state: 'unconfirmed' }, 'resolved'],
    [
      'is unconfirmed for as long as a nightly run can fail again',
      { state: 'unconfirmed', checkedTo: at(A_DAY + 2 * 60 - 1) },
      'unconfirmed',
    ],
    ['ends unseen after that', { state: 'unconfirmed', checkedTo: at(A_DAY + 2 * 60) }, 'resolved'],
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
