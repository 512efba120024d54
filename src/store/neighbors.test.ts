import { expect, test } from 'vitest';
import { announce } from '../alerts/announce.ts';
import { describeNight, drawn } from '../alerts/night.testing.ts';
import { auditEntries } from '../audit/audit.ts';
import { changesSince } from '../changes/changes.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { gapsIn } from '../coverage/gaps.ts';
import { environmentHealth } from '../health/environment-health.ts';
import { failuresOf, mostAffected } from '../incidents/affected.ts';
import { spelledFilter } from '../incidents/filter-conditions.ts';
import { history } from '../incidents/history.ts';
import * as lists from '../incidents/lists.ts';
import { openIncidents, openRows } from '../incidents/open-incidents.ts';
import { act } from '../incidents/verbs.ts';
import type { Failure } from '../judging/failure.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { bucketsOf, seriesIn } from '../lookups/chart.ts';
import { coverageOf } from '../lookups/coverage.ts';
import { failuresIn } from '../lookups/failures.ts';
import { foundIn } from '../lookups/found.ts';
import { aWorkflow } from '../service/event.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { muteUntil, watchCtx } from '../watches/watches.testing.ts';
import {
  ALL_CHECKED,
  ALL_TIME,
  at,
  failure,
  finishPresent,
  openedEnvironment,
  reading,
  record,
  reportDeploy,
  stretch,
  trackedEvent,
} from './examples.testing.ts';

const DAYS = 24 * 60;
const NOW = at(30);

/** What is stored of an incident's neighbors has no part in what is read of it. */
describeNight('What is read', (night, store) => {
  const failuresAt = (minute: number, changes: Partial<Failure>): Failure[] =>
    Array.from({ length: 12 }, (_, index) =>
      failure({
        eventKey: `${JSON.stringify(changes)} at ${minute} ${index}`,
        ...(index < 8 ? {} : { workflow: 'welcome', workflowName: 'Welcome' }),
        subscriberId: `subscriber ${minute} ${index % 5}`,
        contexts: ['tenant:acme'],
        occurredAt: at(minute),
        eventCreatedAt: at(minute),
        ...changes,
      }),
    );

  /** Finds twelve failures, deliveries, an unreadable event and a minute that couldn't be read, and announces them. */
  const poll = async (environment: string, minute: number, changes: Partial<Failure> = {}, times = 1) => {
    await openedEnvironment(store(), environment, at(-5 * DAYS));
    const failures = failuresAt(minute, changes);
    const delivered = [{ channel: 'email', provider: 'sendgrid', domain: null, at: at(minute) }];
    const trackedEvents = [
      ...Array.from({ length: 20 * times }, (_, index) =>
        trackedEvent({ eventKey: `delivered at ${minute} ${index}`, createdAt: at(minute), delivered }),
      ),
      ...failures.map(({ eventKey, workflow, workflowName }) => {
        const named = aWorkflow({ identifier: workflow ?? '', name: workflowName ?? '' });
        return trackedEvent({ eventKey, createdAt: at(minute), workflow: named });
      }),
    ];
    const unreadable = [{ key: `odd at ${minute}`, createdAt: at(minute) }];
    await record(store(), environment, reading({ trackedEvents, failures, unreadable }), at(minute));
    const present = { to: at(minute), clockAheadMs: null };
    const gaps = [stretch(at(minute - 3), at(minute - 2))];
    await finishPresent(store(), environment, { ...present, gaps }, at(minute));
    await announce({ ...night.ctx, now: () => at(minute) }, environment);
    night.minutes = minute;
    await night.deliver();
  };

  /** An incident that was resolved with a note, and another of its cause two days later. */
  const play = async (environment: string, incidentId: number, between: () => Promise<void> = async () => {}) => {
    await poll(environment, -2 * DAYS);
    const acts = { ...night.ctx, now: () => at(1 - 2 * DAYS) };
    await act(acts, { incidentId }, { what: 'noted', text: `the key of ${environment}` }, 'U0ANN');
    await act(acts, { incidentId }, { what: 'resolved' }, 'U0ANN');
    await reportDeploy(store(), { environment, name: `api ${environment}`, actor: null }, at(-5));
    await between();
    await poll(environment, 0);
    await poll(environment, 10);
  };

  const seenOf = async (incidentId: number) => {
    const db = store().db;
    const query = {
      environment: 'production',
      filter: ALL_FAILURES,
      since: at(-9 * DAYS),
      isUnseen: false,
      olderThan: null,
      limit: 99,
    };
    return {
      now: await lists.incidentNow(db, incidentId, NOW),
      failures: await failuresOf(db, incidentId, { upTo: null, offset: 0, limit: 99 }),
      affected: await mostAffected(db, incidentId, 99),
      past: (await history(db, query, NOW)).incidents.filter(({ id }) => id === incidentId),
    };
  };

  const seenOfProduction = async () => {
    const db = store().db;
    const hour = { from: at(-60), to: NOW };
    const names = ['production'];
    const query = { since: at(-9 * DAYS), environments: names, olderThan: null, limit: 99 };
    const { failures } = await failuresOf(db, 1, { upTo: null, offset: 0, limit: 1 });
    const { items: entries } = await auditEntries(db, query);
    const failed = await foundIn(db, 'production', { ...ALL_CHECKED, range: hour }, ALL_FAILURES);
    return {
      found: await failuresIn(db, 'production', ALL_CHECKED, { ...ALL_FAILURES, workflows: ['WELCOME'] }),
      chart: await seriesIn(db, failed, bucketsOf(hour)),
      coverage: await coverageOf(db, 'production'),
      gaps: await gapsIn(db, 'production', ALL_TIME),
      health: (await environmentHealth(db, NOW)).filter(({ environment }) => environment === 'production'),
      workflows: await workflowsIn(db, 'production'),
      names: await spelledFilter(db, 'production', { ...ALL_FAILURES, workflows: ['WELCOME'] }),
      open: await openIncidents(db, names, 99, NOW),
      openRows: await openRows(db, names, NOW),
      over: await lists.resolvedIncidents(db, names, { from: at(-9 * DAYS), to: NOW }, 99),
      ofEvent: await lists.incidentsOfEvent(db, 'production', failures[0]?.eventId ?? '', NOW),
      changes: await changesSince(db, query),
      audit: entries.filter(({ environment }) => environment !== null),
      digests: await Promise.all(
        night.digests().flatMap(({ environment }, place) => (environment === 'production' ? drawn(night, place) : [])),
      ),
    };
  };

  test('of an environment has nothing of another one, where the same failed', async () => {
    await night.watch({ filter: { ...EVERYTHING, environments: ['production'] } });
    await play('production', 1);
    night.minutes = 30;
    const alone = [await seenOf(2), await seenOfProduction()];
    expect(alone).toMatchObject([{ now: { failures: 24, lastTime: { note: {} } } }, { over: { items: [{}] } }]);
    const other = await night.watch({ filter: { ...EVERYTHING, environments: ['staging'] } });
    await play('staging', 3);
    await poll('staging', 25, { channel: 'sms' }, 3);
    for (const incidentId of [3, null])
      await muteUntil(watchCtx(store().db, at(26)), other.id, incidentId, { actor: 'U0BEN', until: at(99) });
    night.minutes = 30;
    expect([await seenOf(2), await seenOfProduction()]).toEqual(alone);
  });

  test('of an incident has nothing of those of other causes, providers and channels, nor of another watch', async () => {
    const watch = await night.watch();
    const other = await night.watch({ everyMs: 60_000 });
    const cause = { text: 'Another', key: 'another' };
    const neighbors = [{ provider: 'ses' }, { provider: null }, { channel: 'sms' }, { provider: 'ses', cause }];
    const failNearby = async (minute: number) => {
      const failures = neighbors.flatMap((changes) => failuresAt(minute, changes));
      await record(store(), 'production', reading({ failures }), at(minute + 1));
    };
    await play('production', 1, () => failNearby(-2));
    const known = (await openIncidents(store().db, ['production'], 9, NOW)).items;
    const incidentId = known.find(({ channel, provider }) => channel === 'email' && provider === 'sendgrid')?.id ?? 0;
    const alone = await seenOf(incidentId);
    expect(alone).toMatchObject({ now: { failures: 24 }, affected: { length: 10 } });
    await failNearby(10);
    const ctx = watchCtx(store().db, at(11));
    for (const { id } of known.filter(({ id }) => id !== incidentId))
      await muteUntil(ctx, watch.id, id, { actor: 'U0BEN', until: at(99) });
    await muteUntil(ctx, other.id, incidentId, { actor: 'U0BEN', until: at(99) });
    expect(await seenOf(incidentId)).toEqual(alone);
  });
});
