import { describe, expect, test } from 'vitest';
import { costsFrom, cpuSecondsAMinute, workOf } from './calculation.ts';

const COSTS = { process: 500, environment: 20, polledEvent: 0.5, checkedEvent: 0.1, failure: 2, message: 30 };

describe('the calculation', () => {
  test('adds up what each thing costs', () => {
    const found = { polledEvents: 1_000, checkedEvents: 10_000, failures: 10, messages: 2 };
    const work = { processes: 3, environments: 100, ...found };
    expect(cpuSecondsAMinute(work, COSTS)).toBeCloseTo(1.5 + 2 + 0.5 + 1 + 0.02 + 0.06);
  });

  test('finds the costs from loads of which each has more of one part', () => {
    const none = { processes: 1, environments: 1, polledEvents: 0, checkedEvents: 0, failures: 0, messages: 0 };
    const parts = [
      {},
      { environments: 300 },
      { environments: 20, polledEvents: 20_000, checkedEvents: 900 },
      { environments: 100, polledEvents: 2_000, checkedEvents: 13_000 },
      { environments: 100, polledEvents: 400, failures: 50, messages: 90 },
      { environments: 20, polledEvents: 2_000, failures: 500, messages: 30 },
    ];
    const loads = parts.map((part) => ({ ...none, ...part }));
    const found = costsFrom(loads.map((load) => ({ ...load, cpuSeconds: cpuSecondsAMinute(load, COSTS) })));
    for (const [name, cost] of Object.entries(COSTS)) expect(found).toHaveProperty(name, expect.closeTo(cost, 2));
  });

  test('never finds a cost below zero', () => {
    const load = { processes: 1, environments: 1, polledEvents: 0, checkedEvents: 0, failures: 0, messages: 0 };
    const found = costsFrom([
      { ...load, cpuSeconds: 1 },
      { ...load, checkedEvents: 1_000, cpuSeconds: 0.9 },
    ]);
    expect(found.checkedEvent).toBe(0);
  });

  test('checks each event of a quiet service often, and those of a busy one as often as requests allow', () => {
    const [quiet, busy] = [100_000, 100_000_000].map((eventsADay) =>
      workOf({ processes: 1, environments: 100, eventsADay, failing: 0.01, messagesAMinute: 1 }),
    );
    if (quiet === undefined || busy === undefined) throw new Error('two loads');
    expect(quiet.checkedEvents / quiet.polledEvents).toBeGreaterThan(25);
    expect(busy.checkedEvents / busy.polledEvents).toBeLessThan(7);
    expect(busy.requests / 100).toBeLessThan(300);
  });
});
