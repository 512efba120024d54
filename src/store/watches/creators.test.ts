import { beforeEach, expect, test } from 'vitest';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { checkCreators } from '../../use-cases/alerting/check-creators.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

describeStore("a watch's creator", (store) => {
  let watchId: string;
  let gone: boolean;
  let lookups: number;
  beforeEach(async () => {
    const wanted = { channel: 'C1', createdBy: 'UANN', settings: UNFILTERED };
    watchId = (await store().watches.makeWatch(wanted, NOON)).id;
    gone = false;
    lookups = 0;
  });
  /** `meanwhile` is done while Slack is asked. */
  const check = (minutes: number, meanwhile = async () => {}) => {
    const person = async () => {
      lookups += 1;
      await meanwhile();
      return gone ? null : { timeZone: null };
    };
    const parts = { store: store().watches, workspace: { person }, logger: silent, now: () => at(minutes) };
    return checkCreators(parts, new AbortController().signal);
  };
  const said = async (minutes: number) => {
    const message = await store().deliveries.claimMessage(at(minutes));
    if (message === null) return null;
    await store().deliveries.notePosted(message.id, { ts: '1.1', fingerprint: 'f', failures: 0 }, at(minutes));
    return store().deliveries.content(message.id, at(minutes));
  };

  test('is looked up once a day', async () => {
    await check(DAY - 1);
    expect(lookups).toBe(0);
    await check(DAY);
    await check(DAY + HOUR);
    expect(lookups).toBe(1);
  });

  test('who is gone is announced in the channel once, with the week that the watch still has', async () => {
    gone = true;
    expect(await check(DAY)).toBe(1);
    expect(await said(DAY)).toMatchObject({ kind: 'watch-orphaned', channel: 'C1', endsAt: at(8 * DAY) });
    expect(await check(2 * DAY)).toBe(0);
    expect(await said(2 * DAY)).toBeNull();
  });

  test('who is gone for a week ends the watch, and the channel is notified', async () => {
    gone = true;
    await check(DAY);
    await said(DAY);
    expect(await check(8 * DAY)).toBe(1);
    expect(await said(8 * DAY)).toMatchObject({ kind: 'watch-ended', channel: 'C1', why: 'creator-gone' });
    expect(await store().watches.watch(watchId)).toBeNull();
  });

  test('who comes back keeps the watch', async () => {
    gone = true;
    await check(DAY);
    gone = false;
    await check(2 * DAY);
    gone = true;
    await check(8 * DAY);
    expect(await store().watches.watch(watchId)).not.toBeNull();
  });

  test('who takes it over while Slack is asked about the one before keeps it, and nobody hears that its creator is gone', async () => {
    gone = true;
    await check(DAY);
    await said(DAY);
    const takeOver = async () => {
      expect(await store().watches.takeOver(watchId, 'UBEN', at(8 * DAY))).toBe(true);
    };
    expect(await check(8 * DAY, takeOver)).toBe(0);
    expect((await store().watches.watch(watchId))?.createdBy).toBe('UBEN');
    expect(await said(8 * DAY)).toBeNull();
  });

  test('who takes it over in its week is not announced as gone', async () => {
    gone = true;
    await check(DAY);
    await said(DAY);
    await check(2 * DAY, async () => void (await store().watches.takeOver(watchId, 'UBEN', at(2 * DAY))));
    expect(await said(2 * DAY)).toBeNull();
  });

  test('becomes the first person who takes it over', async () => {
    expect(await store().watches.takeOver(watchId, 'UBEN', at(DAY))).toBe(false);
    gone = true;
    await check(DAY);
    expect(await store().watches.takeOver(watchId, 'UBEN', at(DAY + 1))).toBe(true);
    expect(await store().watches.takeOver(watchId, 'UCLA', at(DAY + 1))).toBe(false);
    expect((await store().watches.watch(watchId))?.createdBy).toBe('UBEN');
  });
});
