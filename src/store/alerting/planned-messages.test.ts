import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UNFILTERED, type WatchSettings } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import type { ClaimedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { digestAt, digestNow, goOn, seconds } from '../deliveries/deliveries.testing.ts';
import {
  at,
  failureOf,
  finishPresent,
  NOON,
  openedEnvironment,
  reading,
  record,
  trackedEvent,
} from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';
import type { Store } from '../store.ts';

const MENTION = { kind: 'user-group', id: 'S1' } as const;
const WITH_MENTION: WatchSettings = { ...UNFILTERED, mention: MENTION };

describeStore('pending digests', (store) => {
  const claim = async (now: Date): Promise<ClaimedMessage> => {
    const claimed = await store().deliveries.claimMessage(now);
    if (claimed === null) throw new Error('there is nothing to be posted');
    return claimed;
  };
  const watch = (settings = WITH_MENTION) =>
    store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(-1));

  test('become one message when Slack is back, with all that they announce and cover', async () => {
    await watch();
    await digestAt(store(), NOON, 'a', 'b');
    await store().deliveries.noteNotPosted(await claim(NOON), 'HTTP 503', seconds(300));
    await digestAt(store(), at(1), 'c');
    await goOn(store(), at(1), 'a');
    await digestAt(store(), at(2), 'd');
    const { id, attempt } = await claim(at(3));
    const content = await digestNow(store(), id, at(3));
    expect(attempt).toBe(2);
    expect(content.rows.map(({ tally }) => tally.group.cause.text).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(content.reasons).toEqual({ new: 4 });
    expect(content.covered.to).toEqual(at(2));
    expect(content.mention).toEqual(MENTION);
    expect(await store().deliveries.claimMessage(at(60))).toBeNull();
  });

  test('have been pending since the first of them', async () => {
    await watch();
    await digestAt(store(), NOON, 'a');
    await store().deliveries.noteNotPosted(await claim(NOON), 'token_revoked', seconds(300));
    await digestAt(store(), at(4), 'b');
    expect(await store().operation.backlog()).toMatchObject({ waiting: 1, oldestHeldUp: NOON });
  });

  test('stay apart in two watches of a channel', async () => {
    await watch();
    await watch(UNFILTERED);
    await digestAt(store(), NOON, 'a');
    expect((await claim(at(1))).id).not.toBe((await claim(at(1))).id);
  });

  test('get nothing more once they may be in their channel', async () => {
    await watch();
    const begun = await digestAt(store(), NOON, 'a');
    await store().deliveries.noteUnresolved(await claim(NOON), 9 * 60_000);
    await digestAt(store(), at(1), 'b');
    const later = await digestAt(store(), at(2), 'c');
    expect((await digestNow(store(), later, at(3))).rows).toHaveLength(2);
    expect((await digestNow(store(), begun, at(3))).rows.map(({ tally }) => tally.group.cause.text)).toEqual(['a']);
  });

  test('mention nobody if nothing that they announce still fires', async () => {
    await watch();
    await digestAt(store(), NOON, 'a');
    await store().deliveries.noteNotPosted(await claim(NOON), 'HTTP 503', at(20));
    await digestAt(store(), at(1), 'b');
    await store().executeSql(`UPDATE episodes SET state = 'resolved', state_at = '${at(10).toISOString()}'`);
    const over = await claim(at(20));
    const content = await digestNow(store(), over.id, at(20));
    expect(content.rows.map(({ state }) => state.is)).toEqual(['resolved', 'resolved']);
    expect(content.mention).toBeNull();
    await store().deliveries.noteNotPosted(over, 'HTTP 503', at(21));
    await digestAt(store(), at(21), 'c');
    const firing = await digestNow(store(), (await claim(at(22))).id, at(22));
    expect(firing).toMatchObject({ mention: MENTION, rows: { length: 3 } });
  });

  test('are each announced in exactly one message, and one that was begun never changes', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        runs += 1;
        const environment = `environment-${runs}`;
        const { id: watchId } = await watch(UNFILTERED);
        await openedEnvironment(store(), environment, at(-60));
        const begun = new Map<string, string>();
        for (const [index, { causes, outcome }] of steps.entries()) {
          await failAndAnnounce(store(), environment, causes, index);
          await post(store(), outcome, index, begun, () => announcedIn(store(), watchId));
        }
        const announced = await announcedIn(store(), watchId);
        const wanted = new Set(steps.flatMap(({ causes }) => causes));
        expect([...announced.values()].flat().toSorted()).toEqual([...wanted].toSorted());
        for (const [id, content] of begun) expect(announced.get(id)?.join()).toBe(content);
        await store().watches.endWatch(watchId, 'U1', at(0));
      }),
      { numRuns: 8 },
    );
  });
});

type Outcome = 'nothing' | 'posted' | 'refused' | 'unknown';

const step = fc.record({
  causes: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 3 }),
  outcome: fc.constantFrom<Outcome>('nothing', 'posted', 'refused', 'unknown'),
});

async function failAndAnnounce(store: Store, environment: string, causes: readonly string[], minute: number) {
  const now = at(minute);
  const failures = causes.map((cause) => failureOf(cause, { eventKey: `${cause} ${minute}`, occurredAt: now }));
  const cursor = await openedEnvironment(store, environment, now);
  const trackedEvents = failures.map(({ eventKey }) => trackedEvent({ eventKey, createdAt: now }));
  await record(store, cursor, { ...reading({ failures }), trackedEvents }, now);
  await finishPresent(store, cursor, { to: now, setAside: [], clockAheadMs: null, newestEventAt: null }, now);
  await announceFailures(environment, { store: store.alerting, logger: silent, now: () => now });
}

async function post(
  store: Store,
  outcome: Outcome,
  minute: number,
  begun: Map<string, string>,
  announced: () => Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<void> {
  const claimed = outcome === 'nothing' ? null : await store.deliveries.claimMessage(at(minute));
  if (claimed === null) return;
  if (outcome === 'posted') {
    await store.deliveries.notePosted(claimed.id, { ts: claimed.id, fingerprint: '', failures: 0 }, at(minute));
  } else if (outcome === 'refused') {
    await store.deliveries.noteNotPosted(claimed, 'HTTP 503', at(minute + 2));
  } else {
    await store.deliveries.noteUnresolved(claimed, 0);
  }
  if (outcome !== 'refused') begun.set(claimed.id, (await announced()).get(claimed.id)?.join() ?? '');
}

const AnnouncedRow = z.object({ message_id: z.string(), cause_text: z.string() });

async function announcedIn(store: Store, watchId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await store.executeSql(
    `SELECT a.message_id, g.cause_text FROM announcements a JOIN messages m ON m.id = a.message_id
       JOIN episodes s ON s.id = a.episode_id JOIN groups g ON g.key = s.group_key
       WHERE m.watch_id = $1 ORDER BY a.message_id, a.position`,
    [watchId],
  );
  const announced = new Map<string, string[]>();
  for (const { message_id, cause_text } of z.array(AnnouncedRow).parse(rows)) {
    announced.set(message_id, [...(announced.get(message_id) ?? []), cause_text]);
  }
  return announced;
}
