import { beforeEach, expect, test } from 'vitest';
import { uncheckedTime } from '../../domain/alerting/summary.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { noteBehind } from '../../polling/environments.ts';
import { duePart, replacePart, type SetAside } from '../../polling/gaps.ts';
import { at, checkedTo, NOON, noteTrouble, openedEnvironment, stretch } from '../../store/examples.testing.ts';
import { describeStore, silent } from '../../store/store.testing.ts';
import { createSummariser } from './summarise-day.ts';

const DUE = 60;
const DAY = 24 * 60;
const settings = { ...UNFILTERED, timeZone: 'UTC', summaryAt: 13 * 60 };

describeStore('a daily summary that is due', (store) => {
  let clock = 0;
  const started = (environments = ['production']) => {
    const parts = { store: store().alerting, environments, pollMs: 60_000, logger: silent, now: () => at(clock) };
    const summarise = createSummariser(parts);
    return async (minutes: number) => {
      clock = minutes;
      await summarise(new AbortController().signal);
      const message = await store().deliveries.claimMessage(at(minutes));
      const content = message && (await store().deliveries.content(message.id, at(minutes)));
      if (message === null || content?.kind !== 'summary') return null;
      await store().deliveries.notePosted(message.id, { ts: '1.1', fingerprint: 'f', failures: 0 }, at(minutes));
      const { range, environments: summed } = content;
      const delayed = summed.map((one) => one.delayed);
      return { range, unchecked: summed.flatMap((one) => uncheckedTime(one, range)), delayed };
    };
  };
  const polledAt = async (minutes: number, ...setAside: SetAside[]) => {
    await checkedTo(store(), at(minutes), ...setAside);
    await store().polling.noteAnnounced({ environment: 'production', news: 0 }, at(minutes));
  };
  const range = (from: number, to: number) => ({ from: at(from), to: at(to) });

  beforeEach(async () => {
    await polledAt(0);
    await store().watches.makeWatch({ channel: 'C1', createdBy: 'UANN', settings }, NOON);
  });

  test('is written at once while all is polled, and ends with the last poll', async () => {
    await polledAt(DUE - 1);
    expect(await started()(DUE)).toMatchObject({ range: range(0, DUE - 1), unchecked: [] });
    await polledAt(DAY + DUE - 1);
    expect(await started()(DAY + DUE)).toMatchObject({ range: range(DUE - 1, DAY + DUE - 1), unchecked: [] });
  });

  test('waits after a downtime for the first poll, and for what was missed', async () => {
    const run = started();
    expect(await run(DUE + 10)).toBeNull();
    const missed = stretch(at(0), at(DUE));
    await polledAt(DUE + 11, missed);
    expect(await run(DUE + 11)).toBeNull();
    const { database } = store();
    const part = await duePart(database, 'production', at(DUE + 12));
    if (part === undefined) throw new Error('nothing is unchecked');
    await database.withTransaction((sql) => replacePart(sql, part, [], 'production', at(DUE + 12)));
    expect(await run(DUE + 12)).toMatchObject({ range: range(0, DUE + 11), unchecked: [] });
  });

  test('waits no longer than ten minutes, then says what was not checked', async () => {
    const run = started();
    expect(await run(DUE + 10)).toBeNull();
    expect(await run(DUE + 19)).toBeNull();
    expect(await run(DUE + 20)).toMatchObject({ range: range(0, DUE + 20), unchecked: [range(0, DUE + 20)] });
  });

  test('waits for its incidents to be settled and announced, then says that they were not', async () => {
    const run = started();
    await checkedTo(store(), at(DUE));
    expect(await run(DUE)).toBeNull();
    await checkedTo(store(), at(DUE + 10));
    expect(await run(DUE + 10)).toMatchObject({ unchecked: [], delayed: ['not-announced'] });
  });

  test('waits ten minutes for checks for late failures that are behind, then says so', async () => {
    const run = started();
    await polledAt(DUE);
    await noteBehind(store().database, 'production', 3_600_000);
    expect(await run(DUE)).toBeNull();
    await polledAt(DUE + 10);
    expect(await run(DUE + 10)).toMatchObject({ delayed: expect.arrayContaining(['late']) });
  });

  test('waits again when the process slept', async () => {
    const run = started();
    await polledAt(DUE - 1);
    expect(await run(DUE)).not.toBeNull();
    expect(await run(3 * DAY)).toBeNull();
    await polledAt(3 * DAY + 1);
    expect(await run(3 * DAY + 1)).toMatchObject({ range: range(DUE - 1, 3 * DAY + 1), unchecked: [] });
  });

  test('of a watch made since the last poll waits for the next one', async () => {
    await polledAt(DUE - 2);
    await store().watches.makeWatch({ channel: 'C2', createdBy: 'UANN', settings }, at(DUE - 1));
    const run = started();
    expect(await run(DUE)).toMatchObject({ range: range(0, DUE - 2), unchecked: [] });
    expect(await run(DUE)).toBeNull();
    await polledAt(DUE + 1);
    expect(await run(DUE + 1)).toMatchObject({ range: range(DUE - 1, DUE + 1), unchecked: [] });
  });

  test("doesn't wait for time that was tried before and waits for its next try", async () => {
    const parts = [{ ...range(5, 20), tries: 3, nextTryAt: at(DAY) }];
    await polledAt(DUE, stretch(at(5), at(20), { parts }));
    expect(await started()(DUE)).toMatchObject({ range: range(0, DUE), unchecked: [range(5, 20)] });
  });

  test('says which seconds were not checked, too', async () => {
    const parts = [{ ...range(DUE - 1, DUE - 0.9), tries: 1, nextTryAt: at(DUE + 1) }];
    await polledAt(DUE, stretch(at(DUE - 1), at(DUE - 0.9), { parts }));
    expect(await started()(DUE)).toMatchObject({ range: range(0, DUE), unchecked: [range(DUE - 1, DUE - 0.9)] });
  });

  test('says that an environment that was never polled was not checked', async () => {
    const run = started(['production', 'staging']);
    await polledAt(DUE);
    expect(await run(DUE)).toBeNull();
    await polledAt(DUE + 10);
    expect(await run(DUE + 10)).toMatchObject({ unchecked: [range(0, DUE + 10)], delayed: [null, null] });
  });

  test('says since when an outage that has no gap yet was not checked', async () => {
    const run = started();
    await polledAt(DUE - 4);
    const cursor = await openedEnvironment(store());
    await noteTrouble(store(), cursor, { kind: 'unreachable' }, at(DUE - 3));
    expect(await run(DUE)).toBeNull();
    expect((await run(DUE + 10))?.unchecked).toEqual([range(DUE - 4, DUE + 10)]);
  });
});
