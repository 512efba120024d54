import { expect, test } from 'vitest';
import { planDigest } from '../domain/alerting/digest.ts';
import { bucketsOf } from '../domain/charts/chart.ts';
import { type Failure, groupOf } from '../domain/failures/failure.ts';
import { ALL_FAILURES } from '../domain/failures/failure-filter.ts';
import { aWorkflow } from '../domain/service/event.testing.ts';
import { EVERYTHING, UNFILTERED } from '../domain/watches/watch.ts';
import {
  ALL_TIME,
  at,
  failure,
  finishPresent,
  openedEnvironment,
  reading,
  record,
  stretch,
  trackedEvent,
} from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const DAYS = 24 * 60;
const NOW = at(30);

/** An incident with its neighbors: what is stored of those has no part in what is read of it. */
describeStore('what is read', (store) => {
  const failuresAt = (minute: number, changes: Partial<Failure>): Failure[] =>
    Array.from({ length: 12 }, (_, index) =>
      failure({
        eventKey: `${JSON.stringify(changes)} at ${minute} ${index}`,
        workflow: index < 8 ? 'order-shipped' : 'welcome',
        workflowName: index < 8 ? 'Order shipped' : 'Welcome',
        subscriberId: `subscriber ${minute} ${index % 5}`,
        contexts: ['tenant:acme'],
        occurredAt: at(minute),
        eventCreatedAt: at(minute),
        ...changes,
      }),
    );

  const poll = async (environment: string, minute: number, failures: readonly Failure[], times: number) => {
    const cursor = await openedEnvironment(store(), environment, at(-5 * DAYS));
    const step = { channel: 'email', provider: 'sendgrid', at: at(minute) };
    const delivered = Array.from({ length: 100 * times }, (_, index) =>
      trackedEvent({
        eventKey: `delivered at ${minute} ${index}`,
        createdAt: at(minute),
        delivered: [step],
      }),
    );
    const trackedEvents = [
      ...delivered,
      ...failures.map(({ eventKey, workflow, workflowName }) =>
        trackedEvent({
          ...{ eventKey, createdAt: at(minute) },
          workflow: aWorkflow({ identifier: workflow ?? '', name: workflowName ?? '' }),
        }),
      ),
      trackedEvent({ eventKey: `open at ${minute}`, createdAt: at(minute) }),
    ];
    const unreadable = [{ key: `odd at ${minute}`, createdAt: at(minute) }];
    await record(store(), cursor, reading({ trackedEvents, failures, unreadable }), at(minute));
    const setAside = [stretch(at(minute - 3), at(minute - 2))];
    await finishPresent(
      store(),
      cursor,
      { to: at(minute), setAside, clockAheadMs: null, newestEventAt: at(minute) },
      at(minute),
    );
  };

  const announce = async (environment: string, minute: number): Promise<readonly string[]> => {
    const now = at(minute);
    const ids = await store().alerting.announce(environment, (announcing) => planDigest(announcing, now), now);
    for (let one = await store().deliveries.claimMessage(now); one; one = await store().deliveries.claimMessage(now))
      await store().deliveries.notePosted(one.id, { ts: one.id, fingerprint: '', failures: 0 }, now);
    return ids;
  };

  /**
   * An incident that came back after a day, at `minute`, with everything that can be stored of its environment. `before` happens between its
   * two episodes. Returns its last digest's ID.
   */
  const play = async (
    environment: string,
    times: number,
    minute: number,
    before: () => Promise<void> = async () => {},
  ): Promise<string> => {
    const { changes, incidents, audit } = store();
    const change = { action: 'trigger', workflow: 'order-shipped', recipients: times } as const;
    const outcome = { is: 'sent', accepted: times, refused: 0 } as const;
    await poll(environment, -2 * DAYS, failuresAt(-2 * DAYS, {}), times);
    await announce(environment, -2 * DAYS);
    const { incidents: open } = await incidents.openIncidents([environment], { offset: 0, limit: 1 }, at(-2 * DAYS));
    const target = { messageId: null, episodeId: open[0]?.episodeId ?? 0 };
    await incidents.addNote(target, { by: 'UANN', at: at(-2 * DAYS), text: `the key of ${environment}` });
    await incidents.resolve(target, 'UANN', at(1 - 2 * DAYS));
    await changes.noteDeploy({ environment, name: `api ${times}`, by: null }, at(-5));
    await audit.recordChange({
      at: at(-4),
      actor: 'UANN',
      channel: null,
      environment,
      change,
      outcome,
      intentId: null,
    });
    await before();
    await poll(environment, minute, failuresAt(minute, {}), times);
    await poll(environment, minute + 10, failuresAt(minute + 10, {}), times);
    const [id = ''] = await announce(environment, minute + 10);
    return id;
  };

  const ofIncident = async (digestId: string) => {
    const { alerting, deliveries, incidents, polling } = store();
    const { rows } = await deliveries.digestRows(digestId, { offset: 0, limit: 9 }, NOW);
    const row = rows.find(({ tally: { group } }) => group.channel === 'email' && group.provider === 'sendgrid');
    const episodeId = row?.episodeId ?? 0;
    const subject = { is: 'incident', episodeId } as const;
    const { groups, rest, marks } = await polling.countedIn(
      'production',
      bucketsOf({ from: at(-60), to: NOW }),
      subject,
    );
    const past = await alerting.pastIncidents('production', UNFILTERED, at(-DAYS));
    const page = { offset: 0, limit: 99 };
    return {
      row,
      target: await incidents.actedOn({ messageId: digestId, episodeId }, NOW),
      incidentsOf: await incidents.incidentsOf([row?.tally.group.key ?? ''], NOW),
      failures: await incidents.episodeFailures(episodeId, { ...page, upTo: null }),
      affected: await incidents.mostAffected(episodeId, page.limit),
      inCommon: await incidents.inCommon(episodeId),
      chart: { groups, rest, marks },
      past: past.filter((one) => one.episodeId === episodeId),
      history: (
        await incidents.history(
          { environment: 'production', filter: ALL_FAILURES, since: at(-9 * DAYS), olderThan: null, limit: 99 },
          NOW,
        )
      ).incidents.filter(({ now }) => row && now.tally.group.key === row.tally.group.key),
    };
  };

  const ofEnvironment = async () => {
    const { audit, changes, incidents, polling } = store();
    const names = ['production'];
    const hour = { from: at(-60), to: NOW };
    const asked = { since: at(-9 * DAYS), environments: names, olderThan: null, limit: 99 };
    return {
      failures: await polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES),
      filtered: await polling.failuresIn('production', ALL_TIME, ALL_TIME, { ...ALL_FAILURES, workflows: ['WELCOME'] }),
      chart: await polling.countedIn('production', bucketsOf(hour), { is: 'filter', filter: ALL_FAILURES }),
      coverage: await polling.coverage('production'),
      gaps: await polling.gapsIn('production', ALL_TIME),
      health: (await polling.health(NOW)).filter(({ environment }) => environment === 'production'),
      workflows: await polling.workflows('production'),
      names: await polling.namesSeen('production', 'contexts'),
      openIncidents: await incidents.openIncidents(names, { offset: 0, limit: 99 }, NOW),
      openByOwner: await incidents.openByOwner(names, 99, NOW),
      providers: await incidents.failingProviders('production', NOW),
      outstanding: (await incidents.outstanding(names, NOW)).open,
      over: await incidents.incidentsOver(names, { from: at(-9 * DAYS), to: NOW }, 99),
      changes: await changes.changesSince(asked),
      audit: await audit.auditEntries(asked),
    };
  };

  const watching = (channel: string, environment: string, made = at(-9 * DAYS)) => {
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, environments: [environment] } };
    return store().watches.makeWatch({ channel, createdBy: 'UANN', settings }, made);
  };

  test('of an environment and its incidents has nothing of another environment, where the same failed', async () => {
    await watching('C1', 'production');
    const other = await watching('C1', 'staging');
    const digestId = await play('production', 1, 0, () => poll('staging', -1, failuresAt(-1, { channel: 'sms' }), 3));
    const alone = { ...(await ofIncident(digestId)), ...(await ofEnvironment()) };
    expect(alone.row).toMatchObject({
      tally: { failures: 24 },
      lately: { failures: 12, attempts: 112 },
    });
    await play('staging', 3, 0);
    await poll('staging', 25, failuresAt(25, { channel: 'sms' }), 3);
    await store().incidents.mute(other.id, groupOf('staging', failure()).key, { by: 'UBEN', until: at(99) }, at(11));
    await store().incidents.mute(other.id, null, { by: 'UBEN', until: at(99) }, at(11));
    expect({ ...(await ofIncident(digestId)), ...(await ofEnvironment()) }).toEqual(alone);
  });

  test('of an incident has nothing of those of other causes, providers and channels, nor of another watch', async () => {
    const watch = await watching('C1', 'production');
    const other = await watching('C2', 'production', at(-8 * DAYS));
    const neighbors: Partial<Failure>[] = [{ provider: 'ses' }, { provider: null }, { channel: 'sms' }];
    const failNearby = async (minute: number) => {
      const failures = neighbors.flatMap((changes) => failuresAt(minute, changes));
      const cursor = await openedEnvironment(store(), 'production', at(-5 * DAYS));
      await record(store(), cursor, reading({ failures }), at(minute + 1));
    };
    await failNearby(-2 * DAYS);
    const digestId = await play('production', 1, 0, () => failNearby(-2));
    const alone = await ofIncident(digestId);
    expect(alone).toMatchObject({ inCommon: { failures: 24 }, affected: { length: 10 } });
    await failNearby(10);
    for (const changes of neighbors) {
      const key = groupOf('production', failure(changes)).key;
      await store().incidents.mute(watch.id, key, { by: 'UBEN', until: at(99) }, at(11));
    }
    await store().incidents.mute(other.id, groupOf('production', failure()).key, { by: 'UBEN', until: at(99) }, at(11));
    expect(await ofIncident(digestId)).toEqual(alone);
  });

  test.each(['alone', 'beside another environment and its watch'])(
    'of a watch is in its messages, which are the same %s',
    async (where) => {
      const hasNeighbors = where !== 'alone';
      const settings = UNFILTERED;
      const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'UANN', settings }, at(-9 * DAYS));
      const other = await watching('C2', 'staging');
      const messages = async (environment: string, minute: number) => {
        const now = at(minute);
        const gaps = await store().alerting.announceGaps(environment, () => true, now);
        const ids = [...(await announce(environment, minute)), ...gaps];
        return Promise.all(ids.map((id) => store().deliveries.content(id, now)));
      };
      const step = async (minute: number, failures: readonly Failure[]) => {
        if (hasNeighbors) await poll('staging', minute, failures, 3);
        await poll('production', minute, failures, 1);
        const own = await messages('production', minute);
        if (hasNeighbors) await messages('staging', minute);
        return own;
      };
      const place = { channel: 'C1', environment: 'production' };
      expect(await step(0, failuresAt(0, {}))).toMatchObject([
        { ...place, rows: [{ reason: 'new', tally: { failures: 12 } }] },
        { kind: 'gap', channel: 'C1', gap: { environment: 'production' } },
      ]);
      const [digest, ...notices] = await step(40, [...failuresAt(40, {}), ...failuresAt(40, { provider: 'ses' })]);
      expect(digest).toMatchObject({
        ...place,
        eventsChecked: 125,
        unchecked: [{}],
      });
      expect(digest).toMatchObject({ rows: [{ before: null, tally: { failures: 12, group: { provider: 'ses' } } }] });
      expect(notices).toMatchObject([{ kind: 'gap', gap: { environment: 'production', from: at(37) } }]);
      if (hasNeighbors) await store().incidents.mute(other.id, null, { by: 'UBEN', until: at(99) }, at(41));
      const again = [...failuresAt(41, {}), ...failuresAt(42, { channel: 'sms' })];
      if (hasNeighbors) {
        await poll('staging', 42, again, 3);
        await announce('staging', 42);
      }
      for (const day of ['2026-05-05', '2026-05-06']) {
        const summary = { watch, day, range: { from: at(0), to: at(50) } };
        const checked = await store().alerting.checked(['production']);
        const environments = checked.map((one) => ({ ...one, delayed: null }));
        expect(await store().alerting.writeSummary({ ...summary, environments }, at(50))).toBe(true);
      }
      const summaries = [];
      for (
        let one = await store().deliveries.claimMessage(at(50));
        one;
        one = await store().deliveries.claimMessage(at(50))
      )
        summaries.push(await store().deliveries.content(one.id, at(50)));
      const [first, second] = summaries.toSorted((one, two) => JSON.stringify(two).length - JSON.stringify(one).length);
      expect(summaries).toHaveLength(2);
      expect(first).toMatchObject({
        kind: 'summary',
        environments: [{ environment: 'production', eventsChecked: 238, incidents: { failing: 2 }, gaps: [{}, {}] }],
        mutes: { mutes: [], mutedIncidents: 0 },
      });
      expect(second).toMatchObject({
        environments: [{ eventsChecked: 0, failedEvents: 0, incidents: { failing: 0 } }],
      });
    },
  );
});
