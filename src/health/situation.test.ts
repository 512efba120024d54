import { expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import { aHealth } from './health.testing.ts';
import { conditionOf, type ReadingCondition } from './situation.ts';

const RUNNING = { pollMs: 60_000, trouble: null };

test.each<[ReadingCondition, Parameters<typeof aHealth>[0] | null]>([
  ['fine', {}],
  ['fine', { lastSuccessAt: at(-180), behindMs: 300_000 }],
  ['not-read-yet', null],
  ['not-read-yet', { lastSuccessAt: null }],
  ['failing', { failingSince: at(-30), problem: { kind: 'unreachable' } }],
  ['failing', { failingSince: at(-3_600), lastSuccessAt: at(-3_600), uncheckedMs: 1 }],
  ['silent', { lastSuccessAt: at(-181), lastPollAt: at(-181) }],
  ['fine', { lastSuccessAt: at(600) }],
  ['silent', { lastSuccessAt: at(601) }],
  ['catching-up', { openGaps: 1, uncheckedMs: 1, behindMs: 3_600_000 }],
  ['late', { behindMs: 300_001, unreadable: 1 }],
  ['incomplete', { unreadable: 1 }],
  ['incomplete', { notRecoveredMs: 1 }],
])('is %s with %j', (condition, health) => {
  expect(conditionOf(health === null ? null : aHealth(health), RUNNING, NOON)).toBe(condition);
});

test.each<[ReadingCondition, Parameters<typeof aHealth>[0] | null]>([
  ['fine', {}],
  ['waits-for-store', null],
  ['waits-for-store', { lastSuccessAt: null }],
  ['waits-for-store', { lastSuccessAt: at(-181) }],
  ['failing', { failingSince: at(-30), problem: { kind: 'unreachable' } }],
])('is %s with %j while nothing can be stored', (condition, health) => {
  const running = { ...RUNNING, trouble: 'read-only' } as const;
  expect(conditionOf(health === null ? null : aHealth(health), running, NOON)).toBe(condition);
});
