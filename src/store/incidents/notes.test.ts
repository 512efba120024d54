import { describe, expect, test } from 'vitest';
import type { Failure } from '../../domain/failures/failure.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, checkedTo, failure, recordFailures } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const DAYS = 24 * 60;
const note = (text: string, minutes: number) => ({ by: 'U0ANN', at: at(minutes), text });

describeStore('notes', (store) => {
  const row = (episodeId: number) => ({ messageId: null, episodeId });
  const fails = (minutes: number, change: Partial<Failure> = {}) =>
    recordFailures(store(), at(minutes), [
      failure({ eventKey: `event-${minutes}`, occurredAt: at(minutes), ...change }),
    ]);
  const newest = async (minutes: number): Promise<IncidentNow> => {
    const [named] = (await store().incidents.openIncidents(['production'], { offset: 0, limit: 9 }, at(minutes)))
      .incidents;
    const on = await store().incidents.actedOn(row(named?.episodeId ?? 0), at(minutes));
    if (on === null) throw new Error('no incident is open');
    return on.episode;
  };

  test('are kept with the episode, shown last first, and shown in the audit trail, which has no text of its own', async () => {
    await fails(0);
    const { episodeId } = await newest(1);
    expect(await store().incidents.addNote(row(episodeId), note('first', 1))).toBe(true);
    expect(await store().incidents.addNote(row(episodeId), note('second', 2))).toBe(true);
    expect(await newest(3)).toMatchObject({ note: note('second', 2), lastTime: null });
    const query = { since: at(0), environments: [], olderThan: null, limit: 9 };
    const { entries } = await store().audit.auditEntries(query);
    expect(entries.map((entry) => [entry.actor, entry.change.action, entry.note])).toEqual([
      ['U0ANN', 'noted', 'second'],
      ['U0ANN', 'noted', 'first'],
    ]);
    expect(JSON.stringify(entries.map(({ change }) => change))).not.toContain('first');
  });

  test('are added once, though a form is submitted twice at the same time', async () => {
    await fails(0);
    const { episodeId } = await newest(1);
    const twice = [1, 1].map((minutes) => store().incidents.addNote(row(episodeId), note('rotated', minutes)));
    expect(await Promise.all(twice)).toEqual([true, true]);
    expect(await store().incidents.addNote(row(episodeId), { ...note('rotated', 1), by: 'U0BEN' })).toBe(true);
    expect(await store().incidents.addNote(row(episodeId), note('rotated', 3))).toBe(true);
    const { rows } = await store().executeSql('SELECT written_by FROM notes ORDER BY id');
    expect(rows).toEqual(['U0ANN', 'U0BEN', 'U0ANN'].map((written_by) => ({ written_by })));
    const query = { since: at(0), environments: [], olderThan: null, limit: 9 };
    expect((await store().audit.auditEntries(query)).entries).toHaveLength(3);
  });

  test("can't be added to a forgotten episode", async () => {
    expect(await store().incidents.addNote(row(999), note('late', 1))).toBe(false);
  });

  test('are posted in the threads that announced the incident', async () => {
    const { id } = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));
    await fails(0);
    const [digest = ''] = await announceFailures('production', {
      store: store().alerting,
      logger: silent,
      now: () => at(0),
    });
    await store().executeSql(
      `UPDATE messages SET state = 'posted', ts = '1.1', posted_at = now() WHERE id = '${digest}'`,
    );
    await store().incidents.addNote(row((await newest(1)).episodeId), note('rotated', 1));
    const { rows } = await store().executeSql(
      `SELECT watch_id, details -> 'event' AS event FROM messages WHERE kind = 'thread'`,
    );
    expect(rows).toEqual([{ watch_id: id, event: { what: 'noted', ...note('rotated', 1), at: at(1).toISOString() } }]);
  });

  describe('of a returning incident', () => {
    const firstOutage = async () => {
      await fails(0);
      await fails(30);
      const { episodeId } = await newest(31);
      await store().incidents.acknowledge(row(episodeId), 'U0BEN', at(31));
      await store().incidents.addNote(row(episodeId), note('rotated', 40));
      return episodeId;
    };

    test('say when it was and who took it, including in another workflow of the incident', async () => {
      await firstOutage();
      await checkedTo(store(), at(DAYS));
      await fails(2 * DAYS, { workflow: 'login-alert' });
      expect(await newest(2 * DAYS + 1)).toMatchObject({
        note: null,
        lastTime: {
          from: at(0),
          to: at(30),
          note: note('rotated', 40),
          taken: { acknowledgedBy: 'U0BEN', assignedTo: null, resolvedBy: null },
          since: 0,
        },
      });
    });

    test('are not those of another cause', async () => {
      await firstOutage();
      await fails(2 * DAYS, { cause: { text: 'Mailbox full', key: 'mailbox full' } });
      expect(await newest(2 * DAYS + 1)).toMatchObject({ note: null, lastTime: null });
    });

    test('are its own if it relapses within a day', async () => {
      const episodeId = await firstOutage();
      await store().incidents.resolve(row(episodeId), 'U0BEN', at(60));
      await fails(120);
      expect(await newest(121)).toMatchObject({ episodeId, relapses: 1, note: note('rotated', 40), lastTime: null });
    });

    test('exclude later ones in a row about the past', async () => {
      const old = await firstOutage();
      await fails(2 * DAYS);
      await store().incidents.addNote(row((await newest(2 * DAYS + 1)).episodeId), note('again', 2 * DAYS));
      const on = await store().incidents.actedOn(row(old), at(2 * DAYS + 2));
      expect(on?.episode).toMatchObject({ note: note('rotated', 40), lastTime: null });
    });

    test('outlive the episode and its failures by a year, and are then deleted', async () => {
      await firstOutage();
      await store().operation.prune(at(40 * DAYS), 30);
      expect((await store().executeSql('SELECT 1 FROM groups')).rows).toEqual([]);
      await fails(90 * DAYS);
      expect(await newest(90 * DAYS + 1)).toMatchObject({
        lastTime: { from: at(0), to: at(30), note: note('rotated', 40), since: 0, taken: { acknowledgedBy: null } },
      });
      await store().operation.prune(at(366 * DAYS), 30);
      expect((await store().executeSql('SELECT 1 FROM notes')).rows).toEqual([]);
    });
  });
});
