import { describe, expect, it } from 'vitest';
import { cpuSecondsAMinute, workOf } from './calculation.ts';

const COSTS = { environment: 20, polledEvent: 0.5, checkedEvent: 0.1, failure: 2, message: 30 };

describe('the calculation', () => {
  it('adds up what each thing costs', () => {
    const found = { polledEvents: 1_000, checkedEvents: 10_000, failures: 10, messages: 2 };
    const work = { processes: 3, environments: 100, ...found };
    expect(cpuSecondsAMinute(work, COSTS, 0.5)).toBeCloseTo(1.5 + 2 + 0.5 + 1 + 0.02 + 0.06);
  });

  it('checks each event of a quiet service often, and those of a busy one as often as requests allow', () => {
    const [quiet, busy] = [100_000, 100_000_000].map((eventsADay) =>
      workOf({ processes: 1, environments: 100, eventsADay, failing: 0.01, messagesAMinute: 1 }),
    );
    if (quiet === undefined || busy === undefined) throw new Error('two loads');
    expect(quiet.checkedEvents / quiet.polledEvents).toBeGreaterThan(25);
    expect(busy.checkedEvents / busy.polledEvents).toBeLessThan(7);
    expect(busy.requests / 100).toBeLessThan(300);
  });
});
