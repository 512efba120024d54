import { eq, getTableColumns, getTableName } from 'drizzle-orm';
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
import { channelEnvironment, setChannelEnvironment } from '../watches/channel-environment.ts';
import { EVERYTHING, USUAL_SETTINGS } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { ModelService } from './model-service.testing.ts';
import { failsAt, HOUR, PolledEnvironment, sentAt } from './polling.testing.ts';

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
const messagesOf = (watchId: string) => polled.db.select().from(slackMessages).where(eq(slackMessages.owner, watchId));

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
