import { describe, expect, test } from 'vitest';
import { boundOf, bucketsOf, sampleOf } from './prometheus.ts';

const METRICS = `# HELP ack_seconds Time to an acknowledgment
# TYPE ack_seconds histogram
ack_seconds_bucket{le="0.01",delivery_type="slash_commands"} 90
ack_seconds_bucket{le="0.05",delivery_type="slash_commands"} 98
ack_seconds_bucket{le="+Inf",delivery_type="slash_commands"} 99
ack_seconds_bucket{delivery_type="interactive",le="0.01"} 0
ack_seconds_bucket{delivery_type="interactive",le="0.05"} 1
ack_seconds_bucket{delivery_type="interactive",le="+Inf"} 1
ack_seconds_sum{delivery_type="slash_commands"} 0.9
other_seconds_bucket{le="0.01"} 7
cpu_seconds 3.25
`;

describe('bucketsOf', () => {
  test('sums a histogram over its labels', () => {
    expect([...bucketsOf(METRICS, 'ack_seconds')]).toEqual([
      [0.01, 90],
      [0.05, 99],
      [Number.POSITIVE_INFINITY, 100],
    ]);
  });

  test('returns nothing for a missing histogram', () => {
    expect(bucketsOf(METRICS, 'ack').size).toBe(0);
  });
});

describe('boundOf', () => {
  test("returns the bound that the share doesn't exceed", () => {
    const buckets = bucketsOf(METRICS, 'ack_seconds');
    expect([0.5, 0.99, 0.995].map((share) => boundOf(buckets, share))).toEqual([0.01, 0.05, Number.POSITIVE_INFINITY]);
  });

  test('returns NaN without observations', () => {
    expect(boundOf(new Map(), 0.99)).toBeNaN();
  });
});

describe('sampleOf', () => {
  test('reads a metric without labels', () => {
    expect(sampleOf(METRICS, 'cpu_seconds')).toBe(3.25);
  });

  test('returns NaN for a missing metric', () => {
    expect(sampleOf(METRICS, 'cpu')).toBeNaN();
  });
});
