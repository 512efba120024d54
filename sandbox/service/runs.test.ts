import { beforeEach, describe, expect, test } from 'vitest';
import type { Json, TriggeredEvent } from './entities.ts';
import { wording } from './provider-failures.ts';
import { noon } from './quiet.testing.ts';
import { startRun, startRuns } from './runs.ts';
import { World } from './world.ts';

let now = noon;
let world: World;
beforeEach(() => {
  now = noon;
  world = new World({ seed: 7, now: () => now });
});

function runOf(identifier: string, payload: Json = {}) {
  const workflow = world.workflows.get(identifier);
  if (!workflow) throw new Error(`no workflow ${identifier}`);
  return { workflow, payload, overrides: {}, topics: [], contextKeys: [] };
}

function start(identifier: string, subscriberId = 'user-1', transactionId = 'tx', payload: Json = {}): void {
  startRun(world, { ...runOf(identifier, payload), subscriberId, transactionId, at: now });
}

function advance(seconds: number): void {
  now += seconds * 1000;
  world.agenda.runUntil(now);
}

const eventOf = (tx = 'tx'): TriggeredEvent | undefined => world.events.byTransaction(tx)[0]?.event;
const statuses = (tx?: string) => eventOf(tx)?.jobs.map(({ status }) => status);
const lastDetails = (tx?: string) => eventOf(tx)?.jobs.map(({ executionDetails }) => executionDetails.at(-1)?.detail);

test('a trigger to 1,000 people reaches them within 5 seconds, not all at once', () => {
  const people = Array.from({ length: 1_000 }, (_, index) => `person-${index}`);
  startRuns(world, people, { ...runOf('product-launch'), transactionId: 'tx' });
  advance(1);
  expect(world.events.size).toBeLessThan(300);
  advance(4);
  expect(world.events.size).toBe(1_000);
});

describe('a run', () => {
  test.each([
    ['conditionFalse', ['completed', 'completed', 'canceled'], wording.skippedByConditions],
    ['stuck', ['running', 'pending', 'pending'], undefined],
    ['providerError', ['failed', 'failed', 'failed'], wording.providerError],
    ['retry', ['completed', 'completed', 'completed'], wording.messageSent],
    ['bounce', ['completed', 'completed', 'completed'], wording.smsUndelivered],
  ] as const)('ends as the accident %s decides', (accident, expected, lastDetail) => {
    Object.assign(world.accidents, { [accident]: 1 });
    start('order-shipped');
    advance(200);
    expect(statuses()).toEqual(expected);
    expect(lastDetails()?.at(-1)).toBe(lastDetail);
  });

  test('selects no provider where no integration of its channel is primary', () => {
    world.changeIntegration('sendgrid', { primary: false });
    start('password-reset');
    advance(15);
    const words = eventOf()?.jobs[0]?.executionDetails.map(({ detail }) => detail);
    expect([statuses(), words]).toEqual([['failed'], [wording.stepQueued, wording.noActiveIntegration]]);
  });

  test('can merge a digest into itself, so that nothing is ever sent', () => {
    Object.assign(world.accidents, { selfMerged: 1 });
    start('weekly-digest');
    advance(200);
    expect(statuses()).toEqual(['merged', 'merged', 'merged']);
    expect(eventOf()?._digestedNotificationId).toBe(eventOf()?._id);
  });

  test('bounces one to three minutes after completion in a bounce storm, for its reason', () => {
    world.bounceStorm = { share: 1, reason: '554 5.7.1 blocked' };
    start('password-reset');
    advance(15);
    expect(lastDetails()).toEqual([wording.messageSent]);
    advance(180);
    const { status, executionDetails } = eventOf()?.jobs[0] ?? {};
    expect([status, executionDetails?.at(-1)?.source]).toEqual(['completed', 'Webhook']);
    expect(executionDetails?.at(-1)?.raw).toContain('554 5.7.1 blocked');
  });
});
