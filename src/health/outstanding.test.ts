import { describe, expect, test } from 'vitest';
import { countOpen, type OpenSeverity, openSeverity } from './outstanding.ts';

test.each<[critical: boolean, severity: string | null, counted: OpenSeverity]>([
  [true, 'low', 'critical'],
  [true, null, 'critical'],
  [false, 'high', 'high'],
  [false, 'medium', 'medium'],
  [false, 'low', 'low'],
  [false, 'none', 'other'],
  [false, null, 'other'],
  [false, 'critical', 'other'],
])('an incident that is critical (%s) with the severity %s is counted as %s', (critical, severity, counted) => {
  expect(openSeverity(critical, severity)).toBe(counted);
});

describe('open incidents', () => {
  const counted = (severity: OpenSeverity, isFailing: boolean, incidents: number) => ({
    severity,
    isFailing,
    incidents,
  });

  test('are added up by severity, the highest first, failing and quiet ones apart', () => {
    const incidents = [
      counted('low', false, 1),
      counted('critical', true, 2),
      counted('low', true, 3),
      counted('low', true, 4),
      counted('critical', true, 5),
    ];
    expect(countOpen(incidents)).toEqual([
      { severity: 'critical', failing: 7, quiet: 0 },
      { severity: 'low', failing: 7, quiet: 1 },
    ]);
  });

  test('of a severity are absent if there are none', () => {
    expect(countOpen([counted('high', false, 0)])).toEqual([]);
  });
});
