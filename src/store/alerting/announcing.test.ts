import { describe, expect, test } from 'vitest';
import type { Delivery, DigestContent } from '../../domain/alerting/delivery.ts';
import type { Announcing } from '../../domain/alerting/digest.ts';
import { groupOf } from '../../domain/failures/failure.ts';
import { EVERYTHING, UNFILTERED, type Watch, type WatchSettings } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import {
  at,
  checkedTo,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  recordFailures,
  trackedEvent,
} from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const HOURS = 60;

describeStore('announcing', (store) => {
  const announce = (now: Date) =>
    announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
  const keyOf = (cause: string) => groupOf('production', failureOf(cause)).key;

  const fail = (now: Date, ...causes: string[]) =>
    recordFailures(
      store(),
      now,
      causes.map((cause) => failureOf(cause, { eventKey: `${cause} at ${now.toISOString()}`, occurredAt: now })),
    );
  const failTimes = (now: Date, cause: string, times: number) =>
    recordFailures(
      store(),
      now,
      Array.from({ length: times }, (_, index) =>
        failureOf(cause, { eventKey: `${cause} ${index} at ${now.toISOString()}`, occurredAt: now }),
      ),
    );
  const watching = (settings: Partial<WatchSettings> = {}, channel = 'C1'): Promise<Watch> =>
    store().watches.makeWatch({ channel, createdBy: 'U1', settings: { ...UNFILTERED, ...settings } }, at(-1));

  async function tell(now: Date): Promise<Delivery[]> {
    const contents: Delivery[] = [];
    for (const id of await announce(now)) contents.push(await store().deliveries.content(id, now));
    for (
      let claimed = await store().deliveries.claimMessage(now);
      claimed;
      claimed = await store().deliveries.claimMessage(now)
    ) {
      await store().deliveries.notePosted(claimed.id, { ts: claimed.id, fingerprint: '', failures: 0 }, now);
    }
    return contents;
  }
  async function tellDigests(now: Date): Promise<DigestContent[]> {
    return (await tell(now)).filter((content) => content.kind === 'digest');
  }
  const toldAt = async (now: Date) =>
    (await tellDigests(now)).flatMap(({ rows }) =>
      rows.map(({ reason, missed, tally }) => ({ cause: tally.group.cause.text, reason, missed })),
    );

  test("counts towards a watch's threshold what failed in each episode, not in the next one of the incident", async () => {
    const { id } = await watching({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
    await store().incidents.mute(id, null, { by: 'U1', until: at(120) }, NOON);
    for (const minute of [1, 21, 41]) await fail(at(minute), 'a');
    await announce(at(41));
    await checkedTo(store(), at(111));
    for (const minute of [112, 113, 114]) await fail(at(minute), 'a');
    await announce(at(114));
    expect(await tellDigests(at(120))).toMatchObject([{ rows: [{ tally: { firstSeen: at(112), failures: 3 } }] }]);
  });

  test('puts all incidents in one message, however many fail at once', async () => {
    await watching();
    await fail(NOON, ...Array.from({ length: 201 }, (_, index) => `cause ${index}`));
    expect(await tellDigests(NOON)).toMatchObject([{ moreIncidents: 191, reasons: { new: 201 } }]);
    expect(await tellDigests(at(1))).toEqual([]);
  });

  test('alerts to warnings only if a watch asks for them, and counts them otherwise', async () => {
    await watching({}, 'C1');
    await watching({ filter: { ...EVERYTHING, verdicts: ['warning'] } }, 'C2');
    await recordFailures(store(), NOON, [failureOf('No active integration', { verdict: 'warning' })]);
    const [one, ...others] = await tellDigests(NOON);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      channel: 'C2',
      rows: [{ reason: 'new', tally: { verdict: 'warning' } }],
    });
  });

  test('plans for each watch with what may need alerting', async () => {
    await watching();
    await watching({}, 'C2');
    await recordFailures(store(), NOON, [
      failureOf('minor', { severity: 'low' }),
      failureOf('grave', { topics: ['T'] }),
    ]);
    const rounds: Announcing[] = [];
    await store().alerting.announce(
      'production',
      (announcing) => {
        rounds.push(announcing);
        return { message: null, held: [] };
      },
      NOON,
    );
    expect(rounds.map(({ watch }) => watch.channel).sort()).toEqual(['C1', 'C2']);
    expect(rounds[0]).toMatchObject({ lastAlertAt: null, mute: null });
    expect(rounds[0]?.candidates.map(({ tally }) => tally.group.key).sort()).toEqual(
      [keyOf('grave'), keyOf('minor')].sort(),
    );
    expect(rounds[0]?.candidates).toContainEqual(
      expect.objectContaining({
        beganAs: 'new',
        lastAlert: null,
        wasAlertedEarlier: false,
        incidentTurns: [],
        mutedUntil: null,
        missed: 0,
        held: null,
      }),
    );
  });

  describe('an episode', () => {
    test('is announced once while it lasts', async () => {
      await watching();
      await fail(NOON, 'a');
      expect(await toldAt(NOON)).toEqual([{ cause: 'a', reason: 'new', missed: null }]);
      for (const hour of [0.5, 1, 1.5, 2]) {
        await fail(at(hour * HOURS), 'a');
        expect(await toldAt(at(hour * HOURS))).toEqual([]);
      }
    });

    test('is announced again when it continues after a day', async () => {
      await watching();
      for (let hour = 0; hour < 24; hour += 0.5) await fail(at(hour * HOURS), 'a');
      expect(await toldAt(at(24 * HOURS - 1))).toMatchObject([{ reason: 'new' }]);
      await fail(at(24 * HOURS), 'a');
      expect(await toldAt(at(24 * HOURS + 30))).toMatchObject([{ reason: 'goes-on' }]);
    });

    test('is announced again when it comes back after a quiet hour', async () => {
      await watching();
      await fail(NOON, 'a');
      await tell(NOON);
      await checkedTo(store(), at(60));
      await fail(at(61), 'a');
      expect(await toldAt(at(61))).toMatchObject([{ reason: 'back' }]);
    });

    test('is announced again when it has grown tenfold, at most every half an hour', async () => {
      await watching();
      await fail(NOON, 'a');
      await tell(NOON);
      await failTimes(at(10), 'a', 9);
      expect(await toldAt(at(29))).toEqual([]);
      expect(await toldAt(at(30))).toMatchObject([{ reason: 'grown' }]);
      await failTimes(at(31), 'a', 89);
      expect(await toldAt(at(61))).toEqual([]);
      await failTimes(at(62), 'a', 1);
      expect(await toldAt(at(62))).toMatchObject([{ reason: 'grown' }]);
    });

    test('waits while the message that announced the incident has not been posted', async () => {
      await watching();
      await fail(NOON, 'a');
      expect(await announce(NOON)).toHaveLength(1);
      await failTimes(at(10), 'a', 9);
      expect(await announce(at(40))).toEqual([]);
      await tell(at(50));
      expect(await toldAt(at(79))).toEqual([]);
      expect(await toldAt(at(80))).toMatchObject([{ reason: 'grown' }]);
    });

    test("isn't announced to a watch made after it until it continues", async () => {
      await recordFailures(store(), NOON, [
        failureOf('over'),
        failureOf('b'),
        failureOf('c', { verdict: 'undeliverable' }),
      ]);
      await store().watches.ensureWatch('C1', at(1));
      expect(await tell(at(1))).toEqual([]);
      await fail(at(2), 'b');
      expect(await toldAt(at(2))).toEqual([{ cause: 'b', reason: 'new', missed: null }]);
    });

    test('keeps its acknowledgment when it continues after a day, but not when it comes back', async () => {
      const mention = { kind: 'person', id: 'U7' } as const;
      await watching({ mention });
      await fail(NOON, 'a', 'b');
      expect(await tellDigests(NOON)).toMatchObject([{ mention }]);
      await store().executeSql(`UPDATE episodes SET acknowledged_by = 'U1', acknowledged_at = now()`);
      for (let failures = 2; failures <= 27; failures += 1) {
        await fail(at((failures - 1) * 54), 'a');
        expect(await toldAt(at((failures - 1) * 54))).toHaveLength(failures === 10 ? 1 : 0);
      }
      await fail(at(24 * HOURS), 'a');
      expect(await tellDigests(at(24 * HOURS))).toMatchObject([{ mention: null, rows: [{ reason: 'goes-on' }] }]);
      await fail(at(24.6 * HOURS), 'b');
      expect(await tellDigests(at(25 * HOURS))).toMatchObject([{ mention, rows: [{ reason: 'back' }] }]);
    });
  });

  describe('a watch with settings', () => {
    test('is alerted only to what it covers', async () => {
      const about = (filter: Partial<WatchSettings['filter']>, channel: string) =>
        watching({ filter: { ...EVERYTHING, ...filter } }, channel);
      await about({ channels: ['SMS'] }, 'C-sms');
      await about({ severities: ['low'] }, 'C-low');
      await about({ topics: ['vip'] }, 'C-vip');
      await about({ environments: ['staging'] }, 'C-staging');
      await recordFailures(store(), NOON, [
        failureOf('sms', { channel: 'sms' }),
        failureOf('low', { severity: 'low' }),
        failureOf('vip', { topics: ['VIP', 'all'] }),
      ]);
      const lastAlert = (await tellDigests(NOON)).map(({ channel, rows }) => [
        channel,
        rows.map((row) => row.tally.group.cause.text),
      ]);
      expect(Object.fromEntries(lastAlert)).toEqual({ 'C-sms': ['sms'], 'C-low': ['low'], 'C-vip': ['vip'] });
    });

    test('counts only failures with its contexts, tags or subscribers if it names any', async () => {
      const about = (filter: Partial<WatchSettings['filter']>, channel: string) =>
        watching({ filter: { ...EVERYTHING, ...filter } }, channel);
      await about({ contexts: ['tenant:acme'] }, 'C-acme');
      await about({ tags: ['VIP'] }, 'C-vip');
      await about({ contexts: ['tenant:acme'], tags: ['vip'] }, 'C-both');
      await about({ contexts: ['TENANT:ACME'] }, 'C-none');
      await about({ subscribers: ['s0', 's3', 's9'] }, 'C-two-people');
      await about({ subscribers: ['s0', 's3'], contexts: ['tenant:acme'] }, 'C-one-person');
      await about({ subscribers: ['S0'] }, 'C-nobody');
      await about({}, 'C-all');
      await watching(
        {
          filter: { ...EVERYTHING, contexts: ['tenant:acme'] },
          threshold: { failures: 3, withinMs: 600_000, rate: null },
        },
        'C-three',
      );
      const acme = { contexts: ['tenant:acme', 'region:eu'] };
      const failures = [acme, { ...acme, tags: ['vip'] }, { tags: ['Vip'] }, { contexts: ['tenant:other'] }];
      await recordFailures(
        store(),
        NOON,
        failures.map((rest, index) => failureOf('a', { eventKey: `${index}`, subscriberId: `s${index}`, ...rest })),
      );
      const counts = async (now: Date) =>
        Object.fromEntries(
          (await tellDigests(now)).map(({ channel, rows }) => [
            channel,
            rows.map(({ tally }) => [tally.failures, tally.subscribers]),
          ]),
        );
      expect(await counts(NOON)).toEqual({
        'C-acme': [[2, 2]],
        'C-vip': [[2, 2]],
        'C-both': [[1, 1]],
        'C-two-people': [[2, 2]],
        'C-one-person': [[1, 1]],
        'C-all': [[4, 4]],
      });
      await recordFailures(store(), at(1), [failureOf('a', { eventKey: 'third', occurredAt: at(1), ...acme })]);
      expect(await counts(at(1))).toMatchObject({ 'C-three': [[3, 3]] });
    });

    test('follows an incident into its next day after its threshold was reached once', async () => {
      await watching({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
      await failTimes(NOON, 'a', 3);
      expect(await toldAt(NOON)).toMatchObject([{ reason: 'new' }]);
      await store().executeSql(`UPDATE episodes SET ends_at = '${at(50).toISOString()}'`);
      await fail(at(50), 'a');
      expect(await toldAt(at(50))).toMatchObject([{ reason: 'goes-on' }]);
      await store().executeSql(`UPDATE episodes SET ends_at = '${at(100).toISOString()}'`);
      await fail(at(100), 'a');
      expect(await toldAt(at(100))).toMatchObject([{ reason: 'goes-on' }]);
    });

    test('applies its threshold again to an incident that comes back', async () => {
      await watching({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: null } });
      await failTimes(NOON, 'a', 3);
      expect(await toldAt(NOON)).toMatchObject([{ reason: 'new' }]);
      await checkedTo(store(), at(60));
      await fail(at(61), 'a');
      expect(await toldAt(at(61))).toEqual([]);
      await failTimes(at(62), 'a', 2);
      expect(await toldAt(at(62))).toMatchObject([{ reason: 'back' }]);
    });

    test('announces an incident from the first matching failure', async () => {
      await watching({ filter: { ...EVERYTHING, severities: ['high'] } });
      await recordFailures(store(), NOON, [failureOf('a', { severity: 'low' })]);
      expect(await toldAt(NOON)).toEqual([]);
      await fail(at(1), 'a');
      expect(await tellDigests(at(1))).toMatchObject([{ rows: [{ reason: 'new', tally: { failures: 2 } }] }]);
    });

    test('announces nothing from before it covered an environment', async () => {
      const watch = await watching({ filter: { ...EVERYTHING, environments: ['staging'] } });
      await fail(NOON, 'a');
      await tell(NOON);
      await store().watches.changeWatch(
        watch.id,
        { settings: UNFILTERED, was: settingsKey(watch.settings), by: 'U1' },
        at(1),
      );
      expect(await tell(at(1))).toEqual([]);
      await fail(at(2), 'b');
      expect(await tellDigests(at(2))).toMatchObject([
        { covered: { from: NOON }, eventsChecked: 1, rows: [{ reason: 'new' }] },
      ]);
    });

    test('waits for its threshold, including the share of events', async () => {
      await watching({ threshold: { failures: 3, withinMs: 10 * 60_000, rate: 0.5 } });
      await failTimes(NOON, 'a', 2);
      expect(await toldAt(NOON)).toEqual([]);
      await failTimes(at(20), 'a', 2);
      expect(await toldAt(at(20))).toEqual([]);
      await failTimes(at(25), 'a', 1);
      expect(await toldAt(at(25))).toMatchObject([{ cause: 'a', reason: 'new' }]);
      await recordFailures(
        store(),
        at(100),
        Array.from({ length: 7 }, (_, index) => failureOf('noise', { eventKey: `${index}`, verdict: 'undeliverable' })),
      );
      await failTimes(at(100), 'b', 3);
      expect(await toldAt(at(100))).toEqual([]);
    });

    test("doesn't take a bounce for all events of its workflow, whatever is created in the minute in which it comes", async () => {
      await watching({ threshold: { failures: 1, withinMs: 10 * 60_000, rate: 0.5 } });
      const newsletter = Array.from({ length: 20 }, (_, n) => trackedEvent({ eventKey: `${n}`, createdAt: NOON }));
      await record(store(), await openedEnvironment(store()), reading({ trackedEvents: newsletter }), NOON);
      const bounce = async (from: number, to: number, now: Date) => {
        const bounced = newsletter.slice(from, to).map(({ eventKey }) => failureOf('a', { eventKey, occurredAt: now }));
        await record(store(), await openedEnvironment(store()), reading({ failures: bounced }), now);
        return toldAt(now);
      };
      expect(await bounce(0, 1, at(60))).toEqual([]);
      expect(await bounce(1, 10, at(61))).toMatchObject([{ reason: 'new' }]);
    });

    test('gets at most one digest per configured interval', async () => {
      await watching({ everyMs: 15 * 60_000 });
      await fail(NOON, 'a');
      await tell(NOON);
      await fail(at(1), 'b');
      await fail(at(2), 'c');
      expect(await toldAt(at(14))).toEqual([]);
      expect((await toldAt(at(15))).map(({ cause }) => cause).sort()).toEqual(['b', 'c']);
    });

    test('announces at the end of quiet hours what it held back', async () => {
      await watching({ quiet: { from: 11 * 60, to: 13 * 60 } });
      await fail(NOON, 'a');
      expect(await toldAt(at(59))).toEqual([]);
      await fail(at(60), 'b');
      const heldBack = { why: 'quiet', from: at(-60), to: at(60) };
      const [digest, ...others] = await tellDigests(at(60));
      expect(others).toEqual([]);
      expect(digest).toMatchObject({ heldBack, covered: { to: at(60) } });
      expect(digest?.rows.map(({ reason }) => reason)).toEqual(['new', 'new']);
      expect(await toldAt(at(61))).toEqual([]);
    });
  });

  describe('what held a message back', () => {
    const quiet = { from: 13 * 60, to: 14 * 60 };

    test('is the mute that went on after the quiet hours', async () => {
      const { id } = await watching({ quiet });
      await fail(at(70), 'a');
      expect(await toldAt(at(70))).toEqual([]);
      await store().incidents.mute(id, null, { by: 'U1', until: at(240) }, at(80));
      for (const minute of [80, 119, 121, 239]) expect(await toldAt(at(minute))).toEqual([]);
      const heldBack = { why: 'mute', from: at(80), to: at(240) };
      expect(await tellDigests(at(240))).toMatchObject([{ heldBack }]);
    });
  });

  describe('mutes', () => {
    test("report once, when an incident's mute ends, what was missed", async () => {
      const watch = await watching();
      await fail(NOON, 'a', 'b');
      await tell(NOON);
      await store().incidents.mute(watch.id, keyOf('a'), { by: 'U1', until: at(45) }, at(5));
      await failTimes(at(10), 'a', 12);
      expect(await toldAt(at(44))).toEqual([]);
      expect(await toldAt(at(45))).toEqual([{ cause: 'a', reason: 'missed', missed: 12 }]);
      expect(await toldAt(at(90))).toEqual([]);
      await checkedTo(store(), at(90));
      await failTimes(at(91), 'a', 1);
      expect(await toldAt(at(91))).toMatchObject([{ reason: 'back', missed: null }]);
    });

    test.each([{ workflows: ['one'] }, { tags: ['vip'] }])('report what was missed of %o alone', async (filter) => {
      const watch = await watching({ filter: { ...EVERYTHING, ...filter } });
      await store().incidents.mute(watch.id, null, { by: 'U1', until: at(45) }, NOON);
      const failures = ['one', 'two', 'two'].map((workflow, index) =>
        failureOf('a', { ...{ eventKey: `${index}`, workflow, occurredAt: at(10) }, tags: index === 0 ? ['vip'] : [] }),
      );
      await recordFailures(store(), at(10), failures);
      expect(await toldAt(at(45))).toEqual([{ cause: 'a', reason: 'missed', missed: 1 }]);
    });

    test('end silently if nothing was missed', async () => {
      const watch = await watching();
      await fail(NOON, 'a');
      await tell(NOON);
      await store().incidents.mute(watch.id, keyOf('a'), { by: 'U1', until: at(45) }, at(5));
      expect(await toldAt(at(45))).toEqual([]);
      await fail(at(50), 'a');
      expect(await toldAt(at(50))).toEqual([]);
    });

    test('release everything held when they end, in every environment', async () => {
      const watch = await watching();
      await store().incidents.mute(watch.id, null, { by: 'U1', until: at(45) }, at(-1));
      await fail(NOON, 'a');
      const staging = await openedEnvironment(store(), 'staging', at(-60));
      await record(store(), staging, reading({ failures: [failureOf('s')] }), NOON);
      const announceStaging = (now: Date) =>
        announceFailures('staging', { store: store().alerting, logger: silent, now: () => now });
      expect([await announce(at(44)), await announceStaging(at(44))]).toEqual([[], []]);
      const heldBack = { why: 'mute', from: at(-1), to: at(45) };
      expect(await tellDigests(at(45))).toMatchObject([{ heldBack, rows: [{ reason: 'missed', missed: 1 }] }]);
      const [digestId = ''] = await announceStaging(at(50));
      expect(await store().deliveries.content(digestId, at(50))).toMatchObject({
        heldBack,
        rows: [{ reason: 'missed', missed: 1 }],
      });
    });
  });

  describe('the range that a digest reports as checked', () => {
    test('is the hour before the start in the first digest, which is marked as the first', async () => {
      await store().watches.ensureWatch('C1', NOON);
      await fail(NOON, 'a');
      expect(await tellDigests(NOON)).toMatchObject([
        { isFirst: true, covered: { from: at(-60), to: NOON }, eventsChecked: 1 },
      ]);
      await recordFailures(store(), at(1), [failureOf('b'), failureOf('b', { detailId: 'detail-2' })]);
      expect(await tellDigests(at(1))).toMatchObject([
        { isFirst: false, covered: { from: NOON, to: at(1) }, eventsChecked: 1 },
      ]);
    });

    test("runs from the last digest and counts events that couldn't be read", async () => {
      await watching();
      await fail(NOON, 'a');
      await tell(NOON);
      const unreadable = [{ key: 'odd', createdAt: NOON }];
      await record(store(), await openedEnvironment(store()), reading({ unreadable }), at(1));
      await fail(at(2), 'b');
      expect(await tellDigests(at(2))).toMatchObject([{ eventsChecked: 1, unreadable: 1 }]);
    });
  });

  test('announces nothing that is only counted', async () => {
    await watching({
      mention: { kind: 'person', id: 'U7' },
      threshold: { failures: 500, withinMs: 600_000, rate: null },
    });
    await recordFailures(store(), NOON, [failureOf('a', { verdict: 'undeliverable' }), failureOf('b')]);
    expect(await tellDigests(NOON)).toEqual([]);
    expect(await tellDigests(at(48 * HOURS))).toEqual([]);
  });

  test('writes one digest when several replicas announce at once', async () => {
    await watching();
    await fail(NOON, 'a');
    const written = await Promise.all([announce(NOON), announce(NOON), announce(NOON)]);
    expect(written.flat()).toHaveLength(1);
  });
});
