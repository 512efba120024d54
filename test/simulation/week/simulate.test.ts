import { expect, it } from 'vitest';
import { keptStore } from '../../../src/store/store.testing.ts';
import { describeReport, isExact } from './report.ts';
import { simulate } from './simulate.ts';
import { MINUTE } from './week.ts';

const store = keptStore();

it('plays a day of outages, bounces and a Slack that is away, and comes to an exact account', {
  timeout: 180_000,
}, async () => {
  const report = await simulate({ store: store(), seed: 7, events: 2_000, days: 1, pollMs: 20 * MINUTE });
  expect(isExact(report), describeReport(report)).toBe(true);
  expect(report.fates.map(({ fate }) => fate)).toEqual(
    expect.arrayContaining(['refused', 'bounced', 'undeliverable', 'skipped', 'retried']),
  );
});
