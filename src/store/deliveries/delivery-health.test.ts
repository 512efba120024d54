import { expect, test } from 'vitest';
import { NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { seconds } from './deliveries.testing.ts';

const MINUTE_MS = 60_000;

describeStore('the last successful delivery', (store) => {
  test('is unknown before the first run', async () => {
    expect(await store().deliveries.lastDeliveryAt()).toBeNull();
  });

  test('is that of the last run, written at most twice per interval', async () => {
    await store().deliveries.noteDelivered(NOON, MINUTE_MS);
    await store().deliveries.noteDelivered(seconds(29), MINUTE_MS);
    expect(await store().deliveries.lastDeliveryAt()).toEqual(NOON);
    await store().deliveries.noteDelivered(seconds(30), MINUTE_MS);
    expect(await store().deliveries.lastDeliveryAt()).toEqual(seconds(30));
  });

  test('never moves back, whichever replica reports late', async () => {
    await store().deliveries.noteDelivered(seconds(40), MINUTE_MS);
    await store().deliveries.noteDelivered(NOON, MINUTE_MS);
    expect(await store().deliveries.lastDeliveryAt()).toEqual(seconds(40));
  });

  test('moves back after a clock was set back by more than ten minutes', async () => {
    await store().deliveries.noteDelivered(seconds(601), MINUTE_MS);
    await store().deliveries.noteDelivered(NOON, MINUTE_MS);
    expect(await store().deliveries.lastDeliveryAt()).toEqual(NOON);
  });
});
