import { expect, test } from 'vitest';
import type { Skew } from '../../../domain/incidents/skews.ts';
import { aRow } from '../../slack.testing.ts';
import { incidentText } from './incident-row.ts';

const ACME: Skew = {
  is: 'label',
  label: { kind: 'context', value: 'tenant:acme' },
  events: 48,
  of: 48,
  usually: 0.12,
};
const FEW: Skew = { is: 'subscribers', subscribers: 3, of: 41, events: 40, ofEvents: 50 };

const rowOf = (found: readonly Skew[], newest: number | null = null, isTerse = false) => {
  const row = aRow({ skews: { found, newest } });
  return String(incidentText(row, { beside: null, namesPeople: false, cause: null, isTerse })).split('\n');
};
const lineOf = (...asked: Parameters<typeof rowOf>) => rowOf(...asked).find((line) => line.startsWith('🏷️'));

test('the skew line shows what all failed events have in common, and how common that is otherwise', () => {
  expect(lineOf([ACME])).toBe('🏷️ All 48 failed events: context `tenant:acme` (12% of all events)');
});

test('the skew line shows what most failed events have in common, in one line', () => {
  const topic: Skew = { is: 'label', label: { kind: 'topic', value: 'launch' }, events: 45, of: 48, usually: 0.004 };
  expect(lineOf([topic, FEW])).toBe(
    '🏷️ 45 of 48 failed events: topic `launch` (0.4% of all events) · 3 of 41 subscribers have 40 of 50 failed events',
  );
});

test('the skew line of a large incident says which events were examined', () => {
  expect(lineOf([{ ...ACME, events: 250, of: 250 }], 250)).toBe(
    '🏷️ All of the last 250 failed events: context `tenant:acme` (12% of all events)',
  );
});

test('the skew line is left out of terse rows and when there is no skew', () => {
  expect(lineOf([ACME], null, true)).toBeUndefined();
  expect(lineOf([])).toBeUndefined();
});

test('the skew line masks contacts, since rows get copied between channels', () => {
  const label = { kind: 'context', value: 'user:anna@example.com' } as const;
  expect(lineOf([{ ...ACME, label }])).not.toContain('anna');
});
