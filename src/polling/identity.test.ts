import { eq, getTableColumns, getTableName, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { announce } from '../alerts/announce.ts';
import { alertCursors, timelineCursors, watchAlerts } from '../alerts/tables.ts';
import { auditEntries } from '../audit/audit.ts';
import { audit } from '../audit/tables.ts';
import { changes, workflows } from '../changes/tables.ts';
import { environmentOf } from '../coverage/environments.ts';
import { environments, eventCounts, gaps, successCounts, waitingEvents } from '../coverage/tables.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { failures, incidents, outbreaks } from '../incidents/tables.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import { createClockGuard } from '../lib/time/clock-guard.ts';
import { slackMessages } from '../outbox/tables.ts';
import { sendings, triggers } from '../sendings/tables.ts';
import { at } from '../service/event.testing.ts';
import { openDb } from '../store/open.ts';
import { takeEnvironmentLocks } from '../store/replica-locks.ts';
import { dropDatabase, newDatabase } from '../store/store.testing.ts';
import { channelEnvironment, setChannelEnvironment } from '../watches/channel-environment.ts';
import { EVERYTHING, USUAL_SETTINGS } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { ModelService } from './model-service.testing.ts';
import { readPresent } from './poll.ts';
import { failsAt, HOUR, NEVER, PolledEnvironment, sentAt } from './polling.testing.ts';

const polled = new PolledEnvironment();
const NAMING = [
  ...[alertCursors, timelineCursors, watchAlerts, audit, changes, workflows, environments, eventCounts, gaps],
  ...[successCounts, waitingEvents, failures, incidents, outbreaks, slackMessages, sendings, triggers],
];

async function tablesNaming(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of NAMING) {
    const { environment } = getTableColumns(table);
    if ((await polled.db.$count(table, eq(environment, name))) > 0) found.push(getTableName(table));
  }
  return found;
}

async function announced(seconds: number): Promise<void> {
  const now = () => at(seconds);
  const clock = createClockGuard({ now, elapsedMs: () => 0 });
  const ctx = { db: polled.db, logger: silent, now, horizonMs: 72 * HOUR, clock, wakeOutbox: async () => {} };
  await announce(ctx, polled.name);
}

const incidentsHere = () =>
  polled.db.select().from(incidents).where(eq(incidents.environment, polled.name)).orderBy(incidents.id);
const messagesOf = (watchId: string) =>
  polled.db
    .select()
    .from(slackMessages)
    .where(eq(slackMessages.owner, watchId))
    .orderBy(slackMessages.createdAt, slackMessages.id);

/** Polls once as `former`, of which a watch is told, and then gives it another name. */
async function renamed(): Promise<{ former: string; watchId: string }> {
  const former = polled.name;
  const filter = { ...EVERYTHING, environments: [former] };
  const settings = { ...USUAL_SETTINGS, filter };
  const row = { channel: 'C0ONCALL', number: 1, createdAt: at(-60), createdBy: 'U0ANN', settings };
  const [watch] = await polled.db
    .insert(watches)
    .values({ ...row, changesTo: { [former]: 7 } })
    .returning();
  await setChannelEnvironment(
    { db: polled.db, logger: silent, now: () => at(0) },
    'C0ONCALL',
    anEnvironment({ name: former }),
    'U0ANN',
  );
  polled.service.events.push(failsAt(-20), sentAt(-10));
  await polled.poll(0);
  await polled.poll(30);
  await announced(30);
  polled.name = `${former}-renamed`;
  return { former, watchId: watch?.id ?? '' };
}

describe('an environment that has another name since', () => {
  test('goes on with its coverage, its incidents and what was told, and the channel of its watch is told', async () => {
    const { former, watchId } = await renamed();
    const [before] = await polled.db.select().from(incidents).where(eq(incidents.environment, former));
    polled.service.events.push(failsAt(3 * 3_600 - 10));
    await polled.poll(3 * 3_600);
    expect(await tablesNaming(former)).toEqual([]);
    expect(await environmentOf(polled.db, polled.name)).toMatchObject({ coveredFrom: at(-3_600) });
    const [gap] = await polled.db.select().from(gaps).where(eq(gaps.environment, polled.name));
    expect(gap).toMatchObject({ beginsAt: at(30), cause: 'not-running' });
    const [failing, ...others] = await incidentsHere();
    expect(failing?.id).toBe(before?.id);
    expect(others.map(({ kind }) => kind)).toEqual(['not-running']);
    const now = await incidentsNow(polled.db, [failing?.id ?? 0], null, polled.now);
    expect([...now.values()]).toMatchObject([{ failuresInAll: 2 }]);
    const [watch] = await polled.db.select().from(watches).where(eq(watches.id, watchId));
    expect(watch).toMatchObject({
      settings: { filter: { environments: [polled.name] } },
      changesTo: { [polled.name]: 7 },
    });
    expect(await channelEnvironment(polled.db, 'C0ONCALL')).toBe(polled.name);
    const told = await messagesOf(watchId);
    expect(told.map(({ kind, environment }) => [kind, environment])).toEqual([
      ['digest', polled.name],
      ['renamed', polled.name],
    ]);
    const query = { since: at(0), environments: [], olderThan: null, limit: 1 };
    expect((await auditEntries(polled.db, query)).items).toMatchObject([
      { actor: 'notif', change: { action: 'watch-changed' } },
    ]);
  });

  test('owes and repeats nothing by the change of its watch alone', async () => {
    const { watchId } = await renamed();
    await polled.poll(90);
    await announced(90);
    expect((await messagesOf(watchId)).map(({ kind }) => kind)).toEqual(['digest', 'renamed']);
  });

  test('keeps everything until its service answers, and what was told of that meanwhile', async () => {
    const { former } = await renamed();
    polled.service.problem = { kind: 'unreachable' };
    for (const seconds of [90, 150, 210]) await expect(polled.poll(seconds)).rejects.toThrow();
    await announced(210);
    expect(await tablesNaming(former)).toContain('failures');
    polled.service.problem = null;
    await polled.poll(270);
    await announced(600);
    expect(await tablesNaming(former)).toEqual([]);
    const here = await incidentsHere();
    expect(here.map(({ kind, state }) => [kind, state])).toEqual([
      ['failures', 'firing'],
      ['unreadable', 'recovering'],
    ]);
  });
});

test('an environment whose service shows no event at first goes on under its new name with the first that it shows', async () => {
  const { former, watchId } = await renamed();
  const events = polled.service.events.splice(0);
  for (const seconds of [90, 150]) await polled.poll(seconds);
  expect(await tablesNaming(former)).toContain('failures');
  polled.service.events.push(...events, failsAt(200));
  await polled.poll(210);
  expect(await tablesNaming(former)).toEqual([]);
  expect((await incidentsHere()).map(({ kind }) => kind)).toEqual(['failures']);
  expect((await messagesOf(watchId)).map(({ kind }) => kind)).toContain('renamed');
});

test('an environment that another process still reads by its former name waits for that', async () => {
  const url = await newDatabase();
  const { db, close } = await openDb({ kind: 'server', url }, { logger: silent });
  const former = polled.name;
  polled.service.events.push(failsAt(-20));
  await polled.poll(0, { db });
  const other = await takeEnvironmentLocks(url, [former], silent);
  polled.name = `${former}-renamed`;
  const problem = { kind: 'other-environment', namesake: former };
  await expect(polled.poll(30, { db })).rejects.toMatchObject({ problem });
  expect(await db.$count(failures, eq(failures.environment, former))).toBe(1);
  await other.stop();
  // The server frees the lock once it has noticed.
  const isRead = () =>
    polled
      .poll(60, { db })
      .then(() => true)
      .catch(() => false);
  await expect.poll(isRead).toBe(true);
  expect(await db.$count(failures, eq(failures.environment, polled.name))).toBe(1);
  await close();
  await dropDatabase(url);
});

describe('an API key', () => {
  test("that is another configured environment's is read by that alone, and it says so", async () => {
    const { former } = await renamed();
    const both = [former, polled.name].map((name) => anEnvironment({ name }));
    const problem = { kind: 'other-environment', namesake: former };
    const poll = polled.poll(90, { environments: both });
    await expect(poll).rejects.toMatchObject({ problem });
    expect(await environmentOf(polled.db, polled.name)).toMatchObject({ problem, lastSuccessAt: null });
    expect(await tablesNaming(polled.name)).toEqual(['environments']);
  });

  test.each([
    ['that has events', -20, 0],
    ['whose first event comes after a poll of both', 50, 60],
  ])('that two names have is used for one of them alone: that of an environment %s', async (_, failedAt, polledAt) => {
    const names = [polled.name, `${polled.name}-twin`];
    const both = { environments: names.map((name) => anEnvironment({ name })) };
    const poll = (seconds: number) => {
      polled.now = at(seconds);
      return Promise.allSettled(names.map((name) => readPresent(polled.ctx(both), name, NEVER)));
    };
    if (polledAt > 0) await poll(0);
    polled.service.events.push(failsAt(failedAt));
    const read = await poll(polledAt);
    expect(read.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await polled.db.$count(failures, inArray(failures.environment, names))).toBe(1);
  });

  test('of two environments that swapped their names is read by neither, until they are swapped back', async () => {
    const names = [polled.name, `${polled.name}-staging`];
    const services = names.map((name) => new ModelService(() => polled.now, name));
    const environments = names.map((name) => anEnvironment({ name }));
    const poll = (seconds: number, theirs: readonly ModelService[]) => {
      polled.now = at(seconds);
      const serviceOf = (name: string) => theirs[names.indexOf(name)] ?? polled.service;
      const ctx = polled.ctx({ environments, serviceOf });
      return Promise.allSettled(names.map((name) => readPresent(ctx, name, NEVER)));
    };
    for (const [index, service] of services.entries()) service.events.push(failsAt(-20, `first ${index}`));
    await poll(0, services);
    for (const [index, service] of services.entries()) service.events.push(failsAt(40, `second ${index}`));
    const swapped = await poll(60, services.toReversed());
    expect(swapped).toMatchObject(
      names.toReversed().map((namesake) => ({ reason: { problem: { kind: 'other-environment', namesake } } })),
    );
    await poll(90, services);
    const found = await polled.db.select().from(failures).where(inArray(failures.environment, names));
    expect(found.map(({ environment, eventId }) => `${environment} ${eventId}`).toSorted()).toEqual(
      names.flatMap((name, index) => [`${name} first ${index}`, `${name} second ${index}`]).toSorted(),
    );
  });

  test('that was exchanged for that of another environment is not read by, and its name goes on once it is back', async () => {
    const own = polled.service;
    own.events.push(failsAt(-20));
    await polled.poll(0);
    await polled.poll(30);
    polled.service = new ModelService(() => polled.now, 'another');
    polled.service.events.push(failsAt(40, 'of another'));
    const problem = { kind: 'other-environment', namesake: null };
    await expect(polled.poll(60)).rejects.toMatchObject({ problem });
    expect(await polled.db.$count(failures, eq(failures.environment, polled.name))).toBe(1);
    polled.service = own;
    await polled.poll(90);
    expect(await environmentOf(polled.db, polled.name)).toMatchObject({ problem: null });
  });
});
