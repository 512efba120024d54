import { expect, test } from 'vitest';
import { environments } from '../coverage/tables.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { UNKNOWN_WORKSPACE } from '../lib/workspace.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { dbAnswering, describeStore } from '../store/store.testing.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { mutes } from '../watches/tables.ts';
import { madeWatch } from '../watches/watches.testing.ts';
import { conditionOf } from './environment-condition.ts';
import { type Finding, problem } from './finding.ts';
import { aHealth } from './health.testing.ts';
import { reportStatus, type StatusCtx } from './status.ts';
import { troublesOf } from './troubles.ts';
import { createUnreadable } from './unreadable.ts';

function ctxWith(db: Db, logger = silent): StatusCtx {
  return {
    environments: [anEnvironment(), { ...anEnvironment(), name: 'staging' }],
    db,
    ...UNKNOWN_WORKSPACE,
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    isSlackConnected: () => true,
    slackCheck: { trouble: () => null, run: async () => {} },
    strangers: { trouble: () => null },
    behind: () => [],
    lockTrouble: () => null,
    readFreeBytes: async () => null,
    readUnreadable: createUnreadable(db),
    running: { version: '1.2.3', startedAt: at(-60) },
    pollMs: 60_000,
    logger,
    now: () => NOON,
  };
}

describeStore('the status', (store) => {
  test('asks Slack again before it names what is wrong there: somebody may have put it right', async () => {
    let trouble: Finding | null = problem("Notif isn't in the channel:", 'Invite it.');
    const run = async () => {
      trouble = null;
    };
    const slackCheck = { trouble: () => trouble, run };
    const ctx = { ...ctxWith(store().db), slackCheck, isSlackConnected: () => trouble === null };
    expect((await reportStatus(ctx)).troubles).toEqual([]);
  });

  test('reports every configured environment, checked or not, and names no private channel', async () => {
    const { db } = store();
    const read = { environment: 'production', coveredFrom: at(-3_600), checkedTo: at(-10), lastSuccessAt: at(-10) };
    await db.insert(environments).values(read);
    for (const channel of ['C1', 'G1']) {
      const { id } = await madeWatch(db, { channel, createdBy: 'U1', settings: USUAL_SETTINGS }, at(-60));
      await db.insert(mutes).values({ watchId: id, mutedBy: 'U1', beginsAt: at(-60), until: at(60) });
    }
    const status = await reportStatus(ctxWith(db));
    expect(status.environments.map(({ environment, condition }) => `${environment.name} ${condition.words}`)).toEqual([
      'production up to date',
      'staging not checked yet',
    ]);
    const mute = { actor: 'U1', incident: null, watches: 1, until: at(60) };
    expect(status.store).toMatchObject({
      backlog: { waiting: 0, oldest: null, oldestUnblocked: null },
      open: [],
      mutes: [
        { channel: 'C1', ...mute },
        { channel: null, ...mute },
      ],
      trouble: null,
    });
  });
});

test('reports what it can while the database refuses Notif, says so, and logs that', async () => {
  const { logger, sentences } = heard();
  const away = dbAnswering(() => Promise.reject(new StoreTroubleError('refused')));
  const status = await reportStatus(ctxWith(away, logger));
  expect(status).toMatchObject({
    store: null,
    troubles: [{ what: expect.stringContaining("refuses Notif's login") }],
    environments: [{ condition: { is: 'unknown' } }, { condition: { is: 'unknown' } }],
  });
  expect(sentences()).toEqual(["Database couldn't be asked for the status"]);
});

type Case = [words: string, Parameters<typeof aHealth>[0] | null, what?: string];

const read = (health: Case[1], trouble: 'read-only' | null) =>
  conditionOf(anEnvironment(), health === null ? null : aHealth(health), { pollMs: 60_000, trouble, now: NOON });

test.each<Case>([
  ['up to date', {}, ''],
  ['up to date', { lastSuccessAt: at(-180), behindMs: 300_000 }],
  ['not checked yet', null],
  [
    "can't read events",
    { failingSince: at(-300), problem: { kind: 'service-error', status: 500, errorId: '8d1f' }, uncheckedMs: 1 },
    'Failing for 5 min: it reported an error of its own (500, error ID 8d1f).',
  ],
  ['polling stalled', { lastSuccessAt: at(-181) }, 'Polling has stalled without an error. Last success 3 min ago.'],
  ['up to date', { lastSuccessAt: at(600) }],
  ['polling stalled', { lastSuccessAt: at(601) }],
  ['up to date', { lastSuccessAt: at(-600), lagMs: 240_000 }],
  ['up to date', { checkedTo: at(-300), tooSlowSince: at(-60) }],
  ['catching up', { checkedTo: at(-480) }, 'New events are checked 8 min late, which is getting less.'],
  [
    'checked too slowly',
    { checkedTo: at(-480), tooSlowSince: at(-60), uncheckedMs: 1 },
    "New events are checked 8 min late, and that isn't getting less.",
  ],
  ['catching up on gaps', { uncheckedMs: 7_200_000, behindMs: 3_600_000 }, 'Gaps of 2 h are still to be checked.'],
  [
    'checks for late failures delayed',
    { behindMs: 300_001, unreadable: 1 },
    'Checks for late failures are 5 min behind; they catch up.',
  ],
  [
    "couldn't read everything",
    { unreadable: 2, givenUpMs: 180_000 },
    "Not read in the last day: events: 2, time: 3 min. Failures there aren't reported.",
  ],
])('an environment is %s with %j', (words, health, what) => {
  expect(read(health, null)).toMatchObject({ words, ...(what !== undefined && { what }) });
});

test.each([
  ['up to date', 'checked', {}],
  ['still being checked', 'still checking', {}],
  ['the check just now failed', 'failed', {}],
  ['the check just now failed', 'failed', { lastSuccessAt: null }],
  ['catching up on gaps', 'failed', { uncheckedMs: 1 }],
] as const)('an environment is %s if a check made now is %s, with %j', (words, check, health) => {
  const options = { pollMs: 60_000, trouble: null, check, now: NOON };
  expect(conditionOf(anEnvironment(), aHealth(health), options)).toMatchObject({ words });
});

test.each<Case>([
  ['up to date', {}],
  ['waits for the database', null, 'Polling waits for the database.'],
  ['waits for the database', { lastSuccessAt: at(-181) }],
  ["can't read events", { failingSince: at(-30), problem: { kind: 'unreachable' } }],
])('an environment is %s with %j while nothing can be stored', (words, health, what) => {
  expect(read(health, 'read-only')).toMatchObject({ words, ...(what !== undefined && { what }) });
});

test('says what of the database, Slack, the loops and messages is in trouble, each with a next step', () => {
  const store = {
    health: [],
    open: [],
    mutes: [],
    silences: [],
    backlog: { waiting: 3, oldest: at(-600), oldestUnblocked: at(-600) },
    refusals: [{ channel: 'C1', reason: 'is_archived' }],
    unreached: [],
    blocked: [{ channel: 'C2', reason: 'channel-left' as const, messages: 2, oldest: at(-900) }],
    trouble: 'read-only' as const,
    pager: { why: 'its address answered 503', since: at(-120) },
    unreadable: [{ column: 'gaps.unchecked', row: 'gap-1' }],
  };
  const running = {
    isSlackConnected: () => false,
    slackCheck: { trouble: () => null },
    strangers: { trouble: () => null },
    behind: () => [{ name: 'deliver', label: 'Messages' }],
    lockTrouble: () => ({ what: 'A pooler shares connections.', next: 'Set its session mode.' }),
  };
  const troubles = troublesOf(store, running, 150 * 2 ** 20, NOON);
  expect(troubles.map(({ what }) => what)).toEqual([
    "Notif's database accepts no changes right now. No events are checked and no alerts sent.",
    'A pooler shares connections.',
    'The disk of the data folder is almost full: 150 MB are left.',
    'Slack: not connected, reconnecting.',
    'Messages are behind: deliver has not succeeded lately.',
    "Stored data can't be read and is left out:",
    'Alertmanager has received no incidents for 2 min: its address answered 503.',
    'The oldest message has waited for 10 min.',
    "Notif can't post (channel-left); messages waiting: 2, for 15 min.",
    "Slack refuses edits here (is_archived), so counts in posted messages don't update:",
  ]);
  expect(troubles.every(({ next }) => next !== '')).toBe(true);
  const broken = problem('A wrong token.', 'Fix it.');
  const slackCheck = { trouble: () => broken };
  expect(troublesOf(store, { ...running, slackCheck }, null, NOON)).toContain(broken);
});
