import { describe, expect, test } from 'vitest';
import { Ack } from './ack.ts';
import { RecentDeliveries } from './recent-deliveries.ts';

const MINUTE = 60_000;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function ack(): Ack {
  const acknowledge = async (): Promise<void> => {};
  const delivery = {
    id: 'e1',
    type: 'interactive',
    body: {},
    retryNum: undefined,
    retryReason: undefined,
    acknowledge,
    abandon: () => {},
  };
  return new Ack(delivery, silent, () => {});
}

describe('RecentDeliveries', () => {
  test('remembers a delivery for ten minutes', () => {
    let now = 0;
    const recent = new RecentDeliveries(() => now);
    const first = ack();
    recent.remember('Ev1', first);
    now = 10 * MINUTE - 1;
    expect(recent.get('Ev1')).toBe(first);
    now = 10 * MINUTE;
    expect(recent.get('Ev1')).toBeUndefined();
  });

  test('forgets the oldest beyond 5,000', () => {
    const recent = new RecentDeliveries(() => 0);
    for (let each = 0; each <= 5_000; each += 1) recent.remember(`Ev${each}`, ack());
    expect(recent.get('Ev0')).toBeUndefined();
    expect(recent.get('Ev1')).toBeDefined();
    expect(recent.get('Ev5000')).toBeDefined();
  });

  test("forgets a delivery that couldn't be handled", () => {
    const recent = new RecentDeliveries(() => 0);
    recent.remember('Ev1', ack());
    recent.forget('Ev1');
    expect(recent.get('Ev1')).toBeUndefined();
  });
});
