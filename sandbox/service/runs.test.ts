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

function goOn(seconds: number): void {
  now += seconds * 1000;
  world.agenda.runUntil(now);
}

const eventOf = (tx = 'tx'): TriggeredEvent | undefined => world.events.byTransaction(tx)[0]?.event;
const statuses = (tx?: string) => eventOf(tx)?.jobs.map(({ status }) => status);
const lastDetails = (tx?: string) => eventOf(tx)?.jobs.map(({ executionDetails }) => executionDetails.at(-1)?.detail);

test('a trigger to 1,000 people reaches them within 5 seconds, not all at once', () => {
  const people = Array.from({ length: 1_000 }, (_, index) => `person-${index}`);
  startRuns(world, people, { ...runOf('product-launch'), transactionId: 'tx' });
  goOn(1);
  expect(world.events.size).toBeLessThan(300);
  goOn(4);
  expect(world.events.size).toBe(1_000);
});

describe('a run', () => {
  test('goes from step to step and records what it did', () => {
    start('order-shipped');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'completed', 'completed']);
    expect(eventOf()?.jobs[1]?.executionDetails.map(({ status, detail }) => `${status}: ${detail}`)).toEqual([
      'Pending: Step queued',
      'Pending: SendGrid provider was selected',
      'Pending: Message created',
      'Success: Message sent',
    ]);
  });

  test('fails while its provider is down, with the provider’s response, and continues with the next step', () => {
    const cause = { detail: 'Down', raw: '{"code":503}' };
    const end = world.startOutage('sendgrid', { cause });
    start('order-shipped');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'failed', 'completed']);
    expect(eventOf()?.jobs[1]?.executionDetails.at(-1)).toMatchObject({
      ...cause,
      status: 'Failed',
      providerId: 'sendgrid',
    });
    end();
    start('order-shipped', 'user-1', 'tx-2');
    goOn(15);
    expect(statuses('tx-2')).toEqual(['completed', 'completed', 'completed']);
  });

  test('cancels the steps after a failing step that stops the run', () => {
    world.startOutage('sendgrid');
    start('weekly-digest');
    goOn(120);
    expect(statuses()).toEqual(['completed', 'failed', 'canceled']);
    expect(lastDetails()?.[2]).toBe(wording.canceledByPrevious);
  });

  test('cancels the steps for which the subscriber has no address', () => {
    start('payment-failed', 'stranger');
    goOn(15);
    expect(statuses()).toEqual(['canceled', 'canceled', 'canceled', 'canceled']);
    expect(lastDetails()).toEqual([wording.noEmail, wording.noPhone, wording.noChannel, wording.noChannel]);
  });

  test('collects in a digest, and merges events of the same subscriber in the meantime', () => {
    start('weekly-digest', 'user-1', 'first');
    goOn(5);
    start('weekly-digest', 'user-1', 'second');
    goOn(5);
    expect(statuses('first')).toEqual(['delayed', 'pending', 'pending']);
    expect(statuses('second')).toEqual(['merged', 'merged', 'merged']);
    expect(eventOf('second')?._digestedNotificationId).toBe(eventOf('first')?._id);
    goOn(100);
    expect(statuses('first')).toEqual(['completed', 'completed', 'completed']);
  });

  test.each([
    ['conditionFalse', ['completed', 'completed', 'canceled'], wording.skippedByConditions],
    ['stuck', ['running', 'pending', 'pending'], undefined],
    ['providerError', ['failed', 'failed', 'failed'], wording.providerError],
    ['retry', ['completed', 'completed', 'completed'], wording.messageSent],
    ['bounce', ['completed', 'completed', 'completed'], wording.smsUndelivered],
  ] as const)('has the accident %s', (accident, expected, lastDetail) => {
    world.changeAccidents({ [accident]: 1 });
    start('order-shipped');
    goOn(200);
    expect(statuses()).toEqual(expected);
    expect(lastDetails()?.at(-1)).toBe(lastDetail);
  });

  test('can merge a digest into itself, so that nothing is ever sent', () => {
    world.changeAccidents({ selfMerged: 1 });
    start('weekly-digest');
    goOn(200);
    expect(statuses()).toEqual(['merged', 'merged', 'merged']);
    expect(eventOf()?._digestedNotificationId).toBe(eventOf()?._id);
  });

  test('bounces one to three minutes after completion in a bounce storm, for its reason', () => {
    world.bounceStorm = { share: 1, reason: '554 5.7.1 blocked' };
    start('password-reset');
    goOn(15);
    expect(lastDetails()).toEqual([wording.messageSent]);
    goOn(180);
    const { status, executionDetails } = eventOf()?.jobs[0] ?? {};
    expect([status, executionDetails?.at(-1)?.source]).toEqual(['completed', 'Webhook']);
    expect(executionDetails?.at(-1)?.raw).toContain('554 5.7.1 blocked');
  });
});
