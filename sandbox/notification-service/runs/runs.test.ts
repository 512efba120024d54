import { beforeEach, describe, expect, test } from 'vitest';
import type { Json, TriggeredEvent } from '../entities.ts';
import { wording } from '../provider-failures.ts';
import { noon } from '../testing.ts';
import { noAccidents, World } from '../world.ts';
import { startForTopic, startRun } from './steps.ts';

let now = noon;
let world: World;
beforeEach(() => {
  now = noon;
  world = new World({ seed: 7, now: () => now });
});

function start(identifier: string, subscriberId = 'user-1', transactionId = 'tx', payload: Json = {}): void {
  const workflow = world.workflows.get(identifier);
  if (!workflow) throw new Error(`no workflow ${identifier}`);
  startRun(world, {
    workflow,
    subscriberId,
    transactionId,
    payload,
    overrides: {},
    topics: [],
    contextKeys: [],
    at: now,
  });
}

function goOn(seconds: number): void {
  now += seconds * 1000;
  world.agenda.runUntil(now);
}

const eventOf = (tx = 'tx'): TriggeredEvent | undefined => world.events.byTransaction(tx)[0]?.event;
const statuses = (tx?: string) => eventOf(tx)?.jobs.map(({ status }) => status);
const lastDetails = (tx?: string) => eventOf(tx)?.jobs.map(({ executionDetails }) => executionDetails.at(-1)?.detail);

describe('a trigger to a topic', () => {
  test('reaches 1,000 people within 5 seconds, not all at once, with one transaction ID', () => {
    world.plantCrowd('launch', 1_000);
    const [workflow] = world.workflows.values();
    if (!workflow) throw new Error('no workflow');
    const transactionId = startForTopic(world, workflow, 'launch', {});
    const reached = () => new Set(world.events.byTransaction(transactionId).map(({ event }) => event._subscriberId));
    goOn(1);
    expect(reached().size).toBeLessThan(300);
    goOn(4);
    expect(reached().size).toBe(1_000);
  });
});

describe('a run', () => {
  test('goes from step to step and records what it did', () => {
    start('order-shipped');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'completed', 'completed']);
    expect(eventOf()?.jobs[1]?.executionDetails.map(({ status, detail }) => `${status}: ${detail}`)).toEqual([
      'Pending: Step created',
      'Queued: Step queued',
      'Pending: Start sending message',
      'Pending: Message created',
      'Success: Message sent',
    ]);
  });

  test('fails while its provider is down, with the provider’s response, and continues with the next step', () => {
    world.startOutage({ provider: 'sendgrid', cause: { detail: 'Down', raw: '{"code":503}' } });
    start('order-shipped');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'failed', 'completed']);
    expect(eventOf()?.jobs[1]?.executionDetails.at(-1)).toMatchObject({
      status: 'Failed',
      detail: 'Down',
      raw: '{"code":503}',
      providerId: 'sendgrid',
    });
    world.endOutage('sendgrid');
    start('order-shipped', 'user-1', 'tx-2');
    goOn(15);
    expect(statuses('tx-2')).toEqual(['completed', 'completed', 'completed']);
  });

  test('fails while its template is broken', () => {
    const fix = world.breakTemplate({ workflow: 'order-shipped', step: 'email', raw: 'Liquid error' });
    start('order-shipped');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'failed', 'completed']);
    expect(lastDetails()?.[1]).toBe(wording.contentNotGenerated);
    fix();
    start('order-shipped', 'user-1', 'tx-2');
    start('password-reset', 'user-1', 'tx-3');
    goOn(15);
    expect([statuses('tx-2'), statuses('tx-3')]).toEqual([['completed', 'completed', 'completed'], ['completed']]);
  });

  test('cancels the steps after a failing step that stops the run', () => {
    world.startOutage({ provider: 'sendgrid' });
    start('weekly-digest');
    goOn(120);
    expect(statuses()).toEqual(['completed', 'failed', 'canceled']);
    expect(lastDetails()?.[2]).toBe(wording.canceledByPrevious);
  });

  test('cancels the steps for which the subscriber has no address', () => {
    start('payment-failed', 'stranger');
    goOn(15);
    expect(statuses()).toEqual(['canceled', 'canceled', 'canceled', 'canceled']);
    expect(lastDetails()).toEqual([wording.noEmail, wording.noPhone, wording.noDeviceTokens, wording.noWebhookUrl]);
  });

  test('fails if the channel has no active integration', () => {
    for (const integration of world.integrations) integration.active = integration.channel !== 'sms';
    start('payment-failed', 'user-3');
    goOn(15);
    expect(statuses()).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(lastDetails()?.[1]).toBe(wording.noActiveIntegration);
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

  test('waits in a delay for minutes or hours', () => {
    start('appointment-reminder');
    goOn(60);
    expect(statuses()).toEqual(['delayed', 'pending']);
    goOn(3 * 3600);
    expect(statuses()).toEqual(['completed', 'completed']);
  });

  test('limits a subscriber’s events by a throttle, and calls the customer’s own code in a custom step', () => {
    for (const tx of ['one', 'two', 'three', 'four']) {
      start('login-alert', 'user-3', tx);
      goOn(1);
    }
    start('login-alert', 'user-6', 'other');
    goOn(30);
    for (const tx of ['one', 'two', 'three', 'other'])
      expect(statuses(tx)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(lastDetails('one')?.[1]).toBe(wording.bridgeAnswered);
    expect(statuses('four')).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    expect(lastDetails('four')?.[0]).toBe(wording.throttled);
    goOn(600);
    start('login-alert', 'user-3', 'later');
    goOn(30);
    expect(statuses('later')?.[0]).toBe('completed');
  });

  test('follows a condition about the payload', () => {
    start('order-shipped', 'user-1', 'tx', { wantsUpdates: 'false' });
    start('order-shipped', 'user-1', 'wanted', { wantsUpdates: 'true' });
    goOn(30);
    expect(statuses('tx')?.[2]).toBe('skipped');
    expect(statuses('wanted')?.[2]).toBe('completed');
  });

  test.each([
    [
      'skips what a condition excludes',
      { conditionFalse: 1 },
      ['completed', 'completed', 'skipped'],
      wording.skippedByConditions,
    ],
    ['stays where it is when it is stuck', { stuck: 1 }, ['running', 'pending', 'pending'], wording.stepCreated],
    ['fails by itself now and then', { providerError: 1 }, ['failed', 'failed', 'failed'], wording.providerError],
    ['is succeeded on retry', { retry: 1 }, ['completed', 'completed', 'completed'], wording.messageSent],
  ])('%s', (_, accidents, expected, lastDetail) => {
    world.accidents = { ...noAccidents, ...accidents };
    start('order-shipped');
    goOn(30);
    expect(statuses()).toEqual(expected);
    expect(lastDetails()?.at(-1)).toBe(lastDetail);
  });

  test('bounces for the reason of a bounce storm during the storm', () => {
    const end = world.startBounceStorm({ share: 1, reason: '554 5.7.1 blocked' });
    start('password-reset');
    goOn(15);
    end();
    start('password-reset', 'user-1', 'tx-2');
    goOn(200);
    expect(eventOf()?.jobs[0]?.executionDetails.at(-1)?.raw).toContain('554 5.7.1 blocked');
    expect(lastDetails('tx-2')).toEqual([wording.messageSent]);
  });

  test('bounces one to three minutes after completion', () => {
    world.accidents = { ...noAccidents, bounce: 1 };
    start('password-reset');
    goOn(15);
    expect(eventOf()?.jobs[0]).toMatchObject({ status: 'completed' });
    expect(lastDetails()).toEqual([wording.messageSent]);
    goOn(180);
    expect(eventOf()?.jobs[0]).toMatchObject({ status: 'completed' });
    expect(eventOf()?.jobs[0]?.executionDetails.at(-1)).toMatchObject({
      detail: wording.bounced,
      status: 'Failed',
      source: 'Webhook',
    });
  });
});
