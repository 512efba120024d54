import { beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { outageOf } from '../../sandbox/service/provider-failures.ts';
import { advance, wordsSeen } from '../../sandbox/slack/page/tour.ts';
import type { Snapshot } from '../../sandbox/slack/page-protocol.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

/** The list beside the sandbox's page ticks off what it recognizes by the bot's wording. This checks it against the real bot. */
describe('the things to try in the sandbox', () => {
  const world = sharedWorld(() => openWorld());
  beforeAll(async () => {
    world.service.world.plantEvent(failed('sms', {}, outageOf('twilio')));
    await world.polls();
    await world.ann.sees('SMS via Twilio', ONCALL);
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1', transactionId: 'txn_8f2c91a0b7' }));
    await world.polls();
    await world.ann.sees('Email via SendGrid', ONCALL);
  });

  /** Returns whether ann's page now shows what a thing waits for after it was done. */
  async function shows(thing: string): Promise<boolean> {
    const answer = await fetch(`${world.slack.url}/page/snapshot?as=U0ANN`);
    const snapshot: Snapshot = JSON.parse(await answer.text());
    return advance({ [thing]: 'did' }, wordsSeen(snapshot, 0))[thing] === 'done';
  }

  test('recognize an arriving digest', async () => {
    expect(await shows('digest')).toBe(true);
  });

  test('recognize an event that was looked up', async () => {
    expect(await shows('look-up')).toBe(false);
    await world.ann.clicks('Example', await world.ann.sees('production · ', ONCALL));
    await world.ann.gets('Send again', ONCALL);
    expect(await shows('look-up')).toBe(true);
  });

  test('recognize an acknowledgment', async () => {
    await world.ann.clicks('Acknowledge', await world.ann.sees('production · Email', ONCALL));
    await world.ann.sees('👀 ⟨user U0ANN⟩', ONCALL);
    expect(await shows('acknowledge')).toBe(true);
  });

  test('recognize a test that was sent', async () => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped', ONCALL);
    await ann.seesModal('Send a test');
    await ann.fillsIn({ Recipients: 'user-2', Payload: '{"orderNumber": "A-1"}' });
    expect(await ann.submits()).toEqual([]);
    await ann.sees('order-shipped', ann.directMessages);
    await world.fastForward(ann.sees('· done', ann.directMessages));
    expect(await shows('trigger')).toBe(true);
  });

  test('recognize what was sent again', async () => {
    const { ann } = world;
    await ann.types('/notif resend #2', ONCALL);
    await ann.seesModal('Nothing is sent yet');
    await ann.submits();
    await ann.seesModal('Each is sent once');
    await ann.fillsIn({ 'still failing': ['Send anyway'] });
    await ann.submits();
    await world.fastForward(ann.sees('1 of 1 got it', ONCALL));
    await world.fastForward(ann.sees('Sent again', ONCALL));
    expect(await shows('resend')).toBe(true);
  });

  test('recognize the answer to a mention', async () => {
    await world.ann.says('@Notif what became of txn_8f2c91a0b7?', { channel: ONCALL });
    await world.ann.sees('Shared by', ONCALL);
    expect(await shows('mention')).toBe(true);
  });

  test('recognize the Home tab', async () => {
    expect(await shows('home')).toBe(false);
    await world.ann.opensHome();
    await world.ann.seesHome('incident');
    expect(await shows('home')).toBe(true);
  });
});
