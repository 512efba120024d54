import { expect, test } from 'vitest';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import {
  at,
  checkedTo,
  failureOf,
  finishPresent,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  stretch,
} from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const HOUR = 60;

describeStore("time that wasn't checked", (store) => {
  const failed = (minute: number) =>
    failureOf('a', { eventKey: `a ${minute}`, occurredAt: at(minute), eventCreatedAt: at(minute) });
  const fail = (minute: number) => recordFailures(store(), at(minute), [failed(minute)]);

  const failUntil = async (minute: number) => {
    for (let next = 0; next <= minute; next += 15) await fail(next);
    const [one] = (await store().incidents.openIncidents(['production'], { offset: 0, limit: 1 }, at(minute)))
      .incidents;
    const target = { messageId: null, episodeId: one?.episodeId ?? 0 };
    await store().incidents.acknowledge(target, 'UANN', at(minute));
    await store().incidents.assign(target, { to: 'UANN', by: 'UANN', at: at(minute) });
  };

  const settle = (minute: number) =>
    announceFailures('production', { store: store().alerting, logger: silent, now: () => at(minute) });

  const episodes = async () =>
    (
      await store().executeSql(
        'SELECT began_as, returns, failures::integer, state, acknowledged_by, assigned_to FROM episodes ORDER BY id',
      )
    ).rows;

  const ANNS = { acknowledged_by: 'UANN', assigned_to: 'UANN' };

  test("isn't a pause of an incident that fires: with its next failure it goes on, acknowledged and assigned as it was", async () => {
    await failUntil(HOUR);
    await fail(HOUR + 65);
    expect(await episodes()).toEqual([{ began_as: 'new', returns: 0, failures: 6, state: 'firing', ...ANNS }]);
  });

  test("isn't a pause while it's set aside, whatever part of it is checked first", async () => {
    await failUntil(HOUR);
    await checkedTo(store(), at(HOUR + 65), stretch(at(HOUR), at(HOUR + 50)));
    await settle(HOUR + 65);
    await record(store(), await openedEnvironment(store()), reading({ failures: [failed(HOUR + 40)] }), at(HOUR + 66));
    expect(await episodes()).toEqual([{ began_as: 'new', returns: 0, failures: 6, state: 'firing', ...ANNS }]);
  });

  test('lets an incident that fired a day ago go on with a new message', async () => {
    await failUntil(HOUR);
    await fail(26 * HOUR);
    expect(await episodes()).toMatchObject([{}, { began_as: 'goes-on', returns: 0, state: 'firing', ...ANNS }]);
  });

  test("isn't what a row or a provider shows as now", async () => {
    await failUntil(HOUR);
    await checkedTo(
      store(),
      at(HOUR + 30),
      stretch(at(HOUR + 2), at(HOUR + 10)),
      stretch(at(HOUR + 11), at(HOUR + 30)),
    );
    const [row] = (await store().incidents.openIncidents(['production'], { offset: 0, limit: 1 }, at(HOUR + 30)))
      .incidents;
    expect(row?.lately).toMatchObject({ failures: 1, window: { to: at(HOUR + 2) } });
    expect(await store().incidents.failingProviders('production', at(HOUR + 30))).toMatchObject([{ failures: 1 }]);
  });

  test('is over for a row and a provider once an event was read that came after it', async () => {
    await failUntil(HOUR);
    await fail(HOUR + 30);
    const present = { setAside: [stretch(at(HOUR + 27), at(HOUR + 28))], clockAheadMs: null };
    const cursor = await openedEnvironment(store());
    await finishPresent(
      store(),
      cursor,
      { ...present, to: at(HOUR + 30), newestEventAt: at(HOUR + 30) },
      at(HOUR + 30),
    );
    const [row] = (await store().incidents.openIncidents(['production'], { offset: 0, limit: 1 }, at(HOUR + 30)))
      .incidents;
    expect(row?.lately).toMatchObject({ failures: 1, window: { to: at(HOUR + 30) } });
    expect(await store().incidents.failingProviders('production', at(HOUR + 30))).toMatchObject([{ failures: 1 }]);
  });

  test('leaves an incident firing until it was checked, for however many days', async () => {
    await failUntil(HOUR);
    await settle(80 * HOUR);
    expect(await episodes()).toMatchObject([{ state: 'firing' }]);
    await checkedTo(store(), at(80 * HOUR));
    await settle(80 * HOUR);
    expect(await episodes()).toMatchObject([{ state: 'quiet' }]);
  });

  test('is a pause once it was checked and held no failure', async () => {
    await failUntil(HOUR);
    await checkedTo(store(), at(2 * HOUR));
    await fail(2 * HOUR + 1);
    expect(await episodes()).toMatchObject([{}, { began_as: 'back', returns: 1, acknowledged_by: null }]);
  });
});
