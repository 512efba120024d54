import { expect, onTestFinished, test } from 'vitest';
import { alertsIn, aNight } from '../alerts/night.testing.ts';
import { incidentNow } from '../incidents/lists.ts';
import { followersOf } from '../incidents/verbs.ts';
import { silent } from '../lib/logger.testing.ts';
import { mutesEndingAfter } from '../watches/mutes.ts';
import { NOON } from './examples.testing.ts';
import { openDb } from './open.ts';
import { administer, migrationTexts, newEmptyDatabase, rowsOfSchemas } from './store.testing.ts';

/** The last schema without outbreaks. */
const SCHEMA = 20;

const clone = (table: string, where: string, row: object) =>
  `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
  SELECT (jsonb_populate_record(t, '${JSON.stringify(row)}')).* FROM ${table} t WHERE ${where};`;

/** Incidents of the version before outbreaks, as what people did and a watch told left them. */
function oldIncidents(): string {
  const times = { at: '2026-11-25T11:59:30Z', created_at: '2026-11-25T11:59:30Z', posted_at: '2026-11-25T11:59:31Z' };
  const incident = (id: number, row: object = {}) =>
    clone('incidents', 'id = 29', { id, code: `c${id}`, key: `key-${id}`, relapses: 0, gap_id: null, ...row });
  const message = (id: string, row: object) =>
    clone('messages', "id = 'digest-watch-9-9'", { id, subject: id, watch_id: 'watch-1', ...times, ...row });
  const alert = (incidentId: number, messageId: string, row: object = {}) =>
    clone('alerts', "message_id = 'digest-watch-9-9'", {
      incident_id: incidentId,
      message_id: messageId,
      watch_id: 'watch-1',
      relapses: 0,
      matched: 112,
      at: times.at,
      ...row,
    });
  const act = (incidentId: number, actor: string, change: object) =>
    `INSERT INTO audit (at, actor, channel, environment, incident_id, change, outcome) VALUES
      ('2026-11-25T11:59:40Z', '${actor}', 'C0ALERTS', 'production', ${incidentId}, '${JSON.stringify(change)}', '{"is": "done"}');`;
  const acknowledged = { acknowledged_by: 'U0ANN', acknowledged_at: '2026-11-25T11:59:40Z', assigned_to: 'U0BEN' };
  return [
    clone('watches', "id = 'watch-9'", { id: 'watch-1', channel: 'C0ALERTS', number: 1 }),
    `UPDATE watches SET settings = jsonb_set(settings, '{filter,subscribers}', '[]') WHERE id = 'watch-1';`,
    incident(101),
    incident(102, acknowledged),
    // It is muted.
    incident(103),
    // Its alert waits.
    incident(104),
    // One person's own.
    incident(105, { failures: 1, subscribers: 1, is_recipients: true }),
    // It came back.
    incident(106, { relapses: 1, failures: 12, recorded: 112, started_at: '2026-11-25T11:50:00Z' }),
    message('posted', { ts: '1.1', state: 'posted' }),
    message('waits', { ts: null, state: 'waiting', posted_at: null, shown_hash: null, next_at: null, begun_at: null }),
    ...[29, 101, 102, 103].map((id) => alert(id, 'posted')),
    alert(104, 'waits'),
    alert(105, 'posted', { reason: 'single', matched: 1 }),
    alert(106, 'posted', { reason: 'relapsed', relapses: 1, matched: 12 }),
    act(102, 'U0ANN', { action: 'noted', text: 'key rotated' }),
    act(102, 'U0CAT', { action: 'followed' }),
    clone('mutes', "id = 'mute-1'", {
      id: 'mute-2',
      watch_id: 'watch-1',
      incident_id: 103,
      until: '2026-11-26T11:00:00Z',
    }),
  ].join('\n');
}

test('Incidents of the version before keep numbers, codes, people, mutes, notes, messages and what was told', async () => {
  const url = await newEmptyDatabase();
  await administer(url, ...migrationTexts().slice(0, SCHEMA), rowsOfSchemas(SCHEMA), oldIncidents());
  const store = await openDb({ kind: 'server', url }, { logger: silent });
  onTestFinished(store.close);
  const night = await aNight(store);
  night.minutes = (Date.parse('2026-11-25T12:00:00Z') - NOON.getTime()) / 60_000;
  const shown = async (id: number) => incidentNow(store.db, id, night.now());
  for (const id of [101, 102, 103, 104, 105])
    expect(await shown(id)).toMatchObject({ id, code: `c${id}`, state: { is: 'firing' }, outbreak: 1 });
  expect(await shown(102)).toMatchObject({
    acknowledged: { actor: 'U0ANN' },
    assignedTo: 'U0BEN',
    note: { text: 'key rotated' },
  });
  expect(await shown(106)).toMatchObject({ outbreak: 2, failures: 12, failuresInAll: 112 });
  expect((await followersOf(store.db, 102)).map(({ person }) => person)).toEqual(['U0CAT']);
  const mutes = await mutesEndingAfter(store.db, 'watch-1', night.now());
  expect(mutes).toMatchObject([{ incidentId: 103, outbreak: 1, mutedBy: 'U0ANN' }]);
  for (const minutes of [0, 1, 1]) await night.wait(minutes);
  expect(night.digests().map(alertsIn)).toEqual([['new #104 112']]);
  const edited = night.channel.edited.filter(({ ts }) => ts === '1.1').at(-1)?.content;
  expect(edited).toMatchObject({ kind: 'digest' });
  expect(edited?.kind === 'digest' ? alertsIn(edited) : []).toEqual([
    'new #29 112',
    'new #101 112',
    'new #102 112',
    'new #103 112',
    'back #106 12',
    'single #105',
  ]);
});
