import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventsOfTenant } from './tenants.ts';

const FIRST = 1_000_000;
const SURGE = FIRST + 10 * 60_000 - 3_000;
const tenancy = { environments: 4, firstAt: FIRST, eventsAMinute: 10, failingOneIn: 5 };
const surge = { at: SURGE, environments: 2, eventsAMinute: 600 };
const Event = z.looseObject({
  createdAt: z.coerce.date(),
  jobs: z.array(z.looseObject({ status: z.string() })),
});
const listed = (tenant: number, from: number, to: number) =>
  z
    .array(Event)
    .parse(eventsOfTenant(tenant, tenancy, surge).created(from, to, 0, 1_000))
    .toReversed();
const timesOf = (tenant: number, from: number, to: number) =>
  listed(tenant, from, to).map(({ createdAt }) => createdAt.getTime());

describe('the events of environments', () => {
  test('come at the same rate in each, at different moments', () => {
    expect(timesOf(1, FIRST, FIRST + 12_000)).toEqual([FIRST, FIRST + 6_000, FIRST + 12_000]);
    expect(timesOf(3, FIRST, FIRST + 12_000)).toEqual([FIRST + 3_000, FIRST + 9_000]);
  });

  test('come at the rate of a surge in its environments, from its beginning', () => {
    expect(timesOf(1, SURGE - 6_000, SURGE + 250)).toEqual([SURGE - 3_000, SURGE, SURGE + 100, SURGE + 200]);
    expect(timesOf(3, SURGE - 6_000, SURGE + 250)).toEqual([SURGE - 6_000, SURGE]);
  });

  test.each([1, 2, 3, 4])('are counted as they are listed in environment %i', (tenant) => {
    const to = SURGE + 10_000;
    const events = listed(tenant, FIRST, to);
    const failures = events.filter(({ jobs }) => jobs.some(({ status }) => status === 'failed')).length;
    const { countsUntil } = eventsOfTenant(tenant, tenancy, surge);
    expect(countsUntil(to)).toEqual({ events: events.length, failures });
    expect(countsUntil(FIRST - 1)).toEqual({ events: 0, failures: 0 });
  });
});
