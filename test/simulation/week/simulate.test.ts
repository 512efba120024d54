import { expect, test } from 'vitest';
import { keptStore } from '../../../src/store/store.testing.ts';
import { describeReport, isExact } from './report.ts';
import { simulate } from './simulate.ts';
import { MINUTE } from './week.ts';

const store = keptStore();

test('a simulated half day of outages, bounces and Slack downtime has an exact account', {
  timeout: 180_000,
}, async () => {
  const report = await simulate({ store: store(), seed: 33, events: 1_000, days: 0.5, pollMs: 20 * MINUTE });
  expect(isExact(report), describeReport(report)).toBe(true);
  expect(report.fates.map(({ fate }) => fate)).toEqual(
    expect.arrayContaining(['refused', 'bounced', 'undeliverable', 'skipped', 'retried']),
  );
});
