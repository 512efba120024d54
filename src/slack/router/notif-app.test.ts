import type { Receiver } from '@slack/bolt';
import { expect, test, vi } from 'vitest';
import { boltLogger } from './calls.ts';
import { NotifApp } from './notif-app.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const receiver: Receiver = { init: () => {}, start: async () => {}, stop: async () => {} };

test('a delivery that could not be handled is handled when Slack repeats it', async () => {
  const options = { logger: boltLogger(silent), authorize: async () => ({}) };
  const app = new NotifApp([receiver], options, silent, () => {});
  app.isTaking = true;
  const heard = vi.fn().mockRejectedValueOnce(new Error('broken'));
  app.event('app_mention', heard);
  const event = { body: { event_id: 'Ev1', event: { type: 'app_mention' } }, ack: async () => {} };
  await expect(app.processEvent(event)).rejects.toThrow('broken');
  await app.processEvent(event);
  await app.processEvent(event);
  expect(heard).toHaveBeenCalledTimes(2);
});
