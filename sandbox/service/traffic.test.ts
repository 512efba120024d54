import { describe, expect, test } from 'vitest';
import { wording } from './provider-failures.ts';
import { noon } from './quiet.testing.ts';
import { beginTraffic } from './traffic.ts';
import { noAccidents, World } from './world.ts';

const MINUTE = 60_000;

function live(minutes: number, { seed = 1, accidents = {}, pace = 1 } = {}) {
  let now = noon;
  const world = new World({ seed, now: () => now });
  world.pace = pace;
  beginTraffic(world, noon, Number.POSITIVE_INFINITY, accidents);
  now += minutes * MINUTE;
  world.agenda.runUntil(now);
  const events = world.events.all.map(({ event }) => event);
  const passes = (ms: number) => {
    now += ms;
    world.agenda.runUntil(now);
  };
  return { world, events, jobs: events.flatMap(({ jobs }) => jobs), passes };
}

describe('traffic', () => {
  test('is the same for the same seed and different for another, and faster at a higher pace', () => {
    expect(live(3).events).toEqual(live(3).events);
    expect(live(3, { seed: 2 }).events).not.toEqual(live(3).events);
    expect(live(1, { pace: 16 }).events.length).toBeGreaterThan(16 * 25);
  });

  test('has failures of every source and steps of every status, retries among them', () => {
    const { world, events, jobs } = live(20);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails);
    const failures = details.filter(({ status }) => status === 'Failed');
    expect(new Set(failures.map(({ source }) => source))).toEqual(new Set(['Internal', 'Webhook']));
    const statuses = new Set<string>(jobs.map(({ status }) => status));
    for (const status of ['completed', 'failed', 'canceled', 'merged', 'skipped']) expect(statuses).toContain(status);
    expect(failures.some(({ isRetry }) => isRetry)).toBe(true);
    expect(world.messages.size).toBeGreaterThan(events.length);
  });

  test('forgets a workflow that falls silent, until it is triggered again', () => {
    const { world, passes } = live(20);
    const seen = () =>
      world.events.all.flatMap(({ at, event }) => (event.template?.name === 'Payment failed' ? at : []));
    const end = world.silence('payment-failed', noon + 10 * MINUTE);
    passes(10 * MINUTE);
    expect(seen().length).toBeGreaterThan(10);
    expect(Math.max(...seen())).toBeLessThan(noon + 10 * MINUTE);
    expect(world.events.all.length).toBeGreaterThan(500);
    end();
    passes(5 * MINUTE);
    expect(Math.max(...seen())).toBeGreaterThan(noon + 30 * MINUTE);
  });

  test('can have no failure at all', () => {
    const { jobs } = live(10, { accidents: noAccidents });
    const failures = jobs.flatMap(({ executionDetails }) =>
      executionDetails.filter(({ status }) => status === 'Failed'),
    );
    const noFailures = new Set<string>([wording.skippedByConditions, wording.noActiveIntegration]);
    expect(failures.filter(({ detail }) => !noFailures.has(detail))).toEqual([]);
    expect(jobs.filter(({ status }) => status === 'failed')).toEqual([]);
  });
});
