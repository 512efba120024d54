import { beforeEach, describe, expect, test } from 'vitest';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import type { ClaimedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { digestAt, goOn, seconds } from './deliveries.testing.ts';

const trouble = { reason: 'is_archived', operators: ['U0OPERATOR'], retryAt: at(5) };

describeStore('a watch whose channel accepts no messages', (store) => {
  const make = () => store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));

  async function claim(now: Date): Promise<ClaimedMessage> {
    const claimed = await store().deliveries.claimMessage(now);
    if (claimed === null) throw new Error('there is nothing to be posted');
    return claimed;
  }

  const shutOut = async (now: Date, why: WatchEnd = 'channel-archived') =>
    store().deliveries.noteShutOut(
      await claim(now),
      why,
      { ...trouble, retryAt: new Date(now.getTime() + 300_000) },
      now,
    );

  describe('made by a person', () => {
    test('ends, and its creator is notified why', async () => {
      const watch = await make();
      await digestAt(store(), NOON, 'a');
      expect(await shutOut(seconds(1))).toBe('watch ended');
      expect(await store().watches.watch(watch.id)).toBeNull();
      const told = await claim(seconds(2));
      expect(told).toMatchObject({ kind: 'watch-ended', channel: 'U0ANN' });
      expect(await store().deliveries.content(told.id, seconds(2))).toEqual({
        kind: 'watch-ended',
        id: told.id,
        channel: 'U0ANN',
        watch,
        why: 'channel-archived',
      });
    });

    test('drops its other pending messages', async () => {
      await make();
      await digestAt(store(), NOON, 'a');
      await digestAt(store(), at(1), 'b');
      await shutOut(at(1));
      expect(await claim(at(2))).toMatchObject({ kind: 'watch-ended' });
      expect(await store().deliveries.claimMessage(at(2))).toBeNull();
    });

    test('notifies the operators once each if its creator accepts no messages either', async () => {
      await make();
      await digestAt(store(), NOON, 'a');
      await shutOut(NOON);
      expect(await shutOut(seconds(1), 'channel-unknown')).toBe('given up');
      const told = await claim(seconds(2));
      expect(told).toMatchObject({ kind: 'watch-ended', channel: 'U0OPERATOR' });
      expect(await store().deliveries.content(told.id, seconds(2))).toMatchObject({ why: 'channel-archived' });
      await store().deliveries.noteShutOut(told, 'channel-unknown', trouble, seconds(3));
      expect(await store().deliveries.claimMessage(at(60))).toBeNull();
    });
  });

  describe('required by the configuration', () => {
    beforeEach(() => store().watches.configureWatch('C1', at(-1)));

    test('continues, retries later, and notifies the operators', async () => {
      await digestAt(store(), NOON, 'a');
      expect(await shutOut(NOON)).toBe('tried again');
      expect(await store().watches.watches()).toHaveLength(1);
      const told = await claim(seconds(1));
      expect(told).toMatchObject({ kind: 'watch-ended', channel: 'U0OPERATOR' });
      await store().deliveries.notePosted(told.id, { ts: '1', fingerprint: '', failures: 0 }, seconds(1));
      expect(await store().deliveries.claimMessage(new Date(at(5).getTime() - 1))).toBeNull();
      expect(await claim(at(5))).toMatchObject({ kind: 'digest', channel: 'C1', attempt: 2 });
    });

    test('notifies them once, until a message has arrived again', async () => {
      const id = await digestAt(store(), NOON, 'a');
      await shutOut(NOON);
      const told = await claim(seconds(1));
      await store().deliveries.notePosted(told.id, { ts: '1', fingerprint: '', failures: 0 }, seconds(1));
      await shutOut(at(5));
      expect(await store().deliveries.claimMessage(at(6))).toBeNull();
      await claim(at(10));
      await store().deliveries.notePosted(id, { ts: '2', fingerprint: '', failures: 0 }, at(10));
      await goOn(store(), at(70), 'a');
      await digestAt(store(), at(70), 'b');
      await shutOut(at(70));
      expect(await claim(at(71))).toMatchObject({ kind: 'watch-ended' });
    });
  });
});
