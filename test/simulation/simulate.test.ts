import { expect, it } from 'vitest';
import { openTestStore } from '../../src/store/store.testing.ts';
import { describeReport, isExact } from './report.ts';
import { simulate } from './simulate.ts';
import { MINUTE } from './week.ts';

it('plays a day of outages, bounces and a Slack that is away, and comes to an exact account', async () => {
  const store = await openTestStore();
  const report = await simulate({ store, seed: 7, events: 2_000, days: 1, pollMs: 20 * MINUTE });
  await store.close();
  expect(isExact(report), describeReport(report)).toBe(true);
  expect(report.fates.map(({ fate }) => fate)).toEqual(
    expect.arrayContaining(['refused', 'bounced', 'undeliverable', 'skipped', 'retried']),
  );
});
