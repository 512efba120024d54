import { expect, test } from 'vitest';
import { daysKept, deliveryNotedMs } from './durations.ts';

test.each([1, 60, 720, 3600])(
  'notes deliveries often enough for NotifDeliveryStalled with %i s between polls',
  (pollSeconds) => {
    // The alert fires from 300 s on; a run comes each 30 s, and half of the interval goes unnoted.
    expect(deliveryNotedMs({ pollSeconds })).toBeLessThanOrEqual(60_000);
  },
);

test('notes deliveries as often as it polls, where that is more often', () => {
  expect(deliveryNotedMs({ pollSeconds: 10 })).toBe(10_000);
});

test('keeps records as long as asked for, and at least for twice the horizon and a day', () => {
  expect(daysKept({ retentionDays: 30, horizonHours: 72 })).toBe(30);
  expect(daysKept({ retentionDays: 1, horizonHours: 72 })).toBe(7);
});
