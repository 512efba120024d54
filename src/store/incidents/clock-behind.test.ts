import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { DigestContent } from '../../domain/alerting/delivery.ts';
import { stateOf } from '../../domain/changes/integration-readings.ts';
import type { Failure } from '../../domain/failures/failure.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, failureOf, finishPresent, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const BEHIND = 9;

const StateRow = z.object({ state: z.string() });

describeStore('an incident of a service whose clock is nine minutes behind', (store) => {
  beforeEach(async () => {
    await store().watches.ensureWatch('C1', at(-60));
    await poll(-1);
  });

  const state = async () => {
    const { rows } = await store().executeSql('SELECT state FROM episodes ORDER BY id DESC LIMIT 1');
    return rows.map((row) => StateRow.parse(row).state)[0];
  };

  const failed = (minute: number): Failure => {
    const dated = at(minute - BEHIND);
    return failureOf('a', { eventKey: `${minute}`, occurredAt: dated, eventCreatedAt: dated });
  };

  const poll = async (minute: number, failures: readonly Failure[] = [], delivered = 0) => {
    const [now, dated] = [at(minute), at(minute - BEHIND)];
    const place = { channel: 'email', provider: 'sendgrid' };
    const trackedEvents = Array.from({ length: delivered }, (_, n) =>
      trackedEvent({
        eventKey: `delivered ${minute} ${n}`,
        createdAt: dated,
        delivered: [{ ...place, at: dated }],
      }),
    );
    const successes = delivered === 0 ? [] : [{ ...place, workflow: 'order-shipped', from: dated, to: dated }];
    const cursor = await openedEnvironment(store());
    await record(store(), cursor, reading({ failures, trackedEvents, successes }), now);
    const clockAheadMs = -BEHIND * 60_000;
    await finishPresent(store(), cursor, { to: now, setAside: [], clockAheadMs, newestEventAt: null }, now);
    const ids = await announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now)) {
      await store().deliveries.notePosted(one.id, { ts: one.id, fingerprint: '', failures: 0 }, now);
    }
    const contents = await Promise.all(ids.map((id) => store().deliveries.content(id, now)));
    const digests = contents.filter((content): content is DigestContent => content.kind === 'digest');
    return digests.flatMap(({ rows }) => rows.map(({ reason, missed }) => ({ reason, missed })));
  };

  const open = async (minute: number) =>
    (await store().incidents.openIncidents(['production'], { offset: 0, limit: 1 }, at(minute))).incidents[0];

  test('recovers after five minutes without a failure, and is resolved after fifteen', async () => {
    await poll(0, [failed(0)]);
    await poll(4, [], 20);
    expect(await state()).toBe('firing');
    await poll(5);
    expect(await state()).toBe('recovering');
    await poll(14);
    expect(await state()).toBe('recovering');
    await poll(15);
    expect(await state()).toBe('resolved');
  });

  test('relapses by what fails after a person resolved it, and not by what failed before', async () => {
    await poll(0, [failed(0)]);
    const { episodeId } = (await open(2)) ?? { episodeId: 0 };
    await store().incidents.resolve({ messageId: null, episodeId }, 'UANN', at(2));
    await poll(3, [failed(1)]);
    expect(await state()).toBe('resolved');
    await poll(4, [failed(3)]);
    expect(await state()).toBe('firing');
    expect(await poll(10)).toEqual([{ reason: 'relapsed', missed: null }]);
  });

  test('is reported after a mute with what failed during it', async () => {
    await poll(0, [failed(0)]);
    const { key } = (await open(0))?.tally.group ?? { key: '' };
    const [watch] = await store().watches.watches();
    await store().incidents.mute(watch?.id ?? '', key, { by: 'U1', until: at(40) }, at(2));
    for (const minute of [1, 3, 5]) await poll(minute + 1, [failed(minute)]);
    expect(await poll(40)).toEqual([{ reason: 'missed', missed: 2 }]);
  });

  test('says what fails now, up to now by that clock', async () => {
    await poll(0, [failed(0), failed(-1)]);
    expect(await open(0)).toMatchObject({ lately: { failures: 2, window: { to: at(-BEHIND) } } });
  });

  test('counts among what its provider fails now', async () => {
    await poll(0, [failed(0), failed(-1)]);
    expect(await store().incidents.failingProviders('production', at(0))).toMatchObject([
      { channel: 'email', provider: 'sendgrid', failures: 2, window: { to: at(-BEHIND) } },
    ]);
  });

  test('names the change shortly before it', async () => {
    const read = (minute: number, active: boolean) => {
      const integrations = [{ ...stateOf(anIntegration()), active }];
      const listed = { serviceEnvironmentId: 'env-1', integrations, isWhole: true };
      return store().changes.noteIntegrations('production', listed, { from: at(minute), to: at(minute) });
    };
    await read(-1, true);
    await read(0, false);
    await poll(1, [failed(0.5)]);
    expect(await open(1)).toMatchObject({ changedBefore: { at: at(0) } });
  });
});
