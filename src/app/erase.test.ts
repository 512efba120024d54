import { expect, test } from 'vitest';
import { auditEntries, type NewEntry, recordEntry } from '../audit/audit.ts';
import { unreadableValues } from '../health/unreadable.ts';
import { boundedId, storableTyped, stored } from '../lib/text/shown-id.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { at } from '../store/examples.testing.ts';
import { describeStore, exampleRows, storedRows } from '../store/store.testing.ts';
import { eraseSubscriber } from './erase.ts';

const SUBSCRIBER = /(?<![\w-])subscriber-2(?![\w-])/i;

describeStore('Erasing a subscriber', (store) => {
  const INCIDENT = { number: 29, channel: boundedId('email'), provider: null };
  const erase = (id: string) => eraseSubscriber(store().db, id, DAY_MS, at(1));
  const noted = (text: string): NewEntry => ({
    at: at(0),
    actor: 'U0ANN',
    channel: null,
    environment: null,
    intentId: null,
    change: stored({ action: 'noted', text: storableTyped(text), incident: INCIDENT }),
    outcome: { is: 'done' },
  });
  const notes = async () => {
    const all = { since: at(-9_999_999), environments: [], olderThan: null, limit: 9 };
    return (await auditEntries(store().db, all)).items.map(({ change }) => change);
  };

  test('leaves nothing of them but what it names as left, everything of others, and an entry without their ID', async () => {
    const { db } = store();
    for (const statement of exampleRows()) await db.write(statement);
    await recordEntry(db, noted('called subscriber-2, subscriber-22 and Subscriber-2-b, not SUBSCRIBER-2'));
    for (const table of ['incidents', 'wordings'])
      await db.write(`UPDATE ${table} SET cause_text = 'Subscriber-2 is unknown', cause_key = '§ is unknown'`);
    await db.write(`UPDATE triggers SET why = 'unknown subscriber-2'`);
    await db.write(`UPDATE changes SET what = '{"kind": "deploy", "name": "fix of SUBSCRIBER-2", "actor": null}'`);
    await db.write(`UPDATE audit SET change = '{"action": "watch-made", "watch": "subscriber:a,subscriber-2 tz:UTC"}'
      WHERE change ->> 'action' = 'credentials'`);
    await db.write(`UPDATE workflows SET name = 'for subscriber-2'`);
    const before = await storedRows(db);
    // A workflow's name isn't about a person.
    const left = { 'workflows.name': 1 };
    expect(await erase('subscriber-2')).toEqual({
      rows: before.filter((row) => SUBSCRIBER.test(row)).length - 1,
      left,
    });
    const after = await storedRows(db);
    const still = expect.stringMatching(/^workflows .*for subscriber-2/);
    expect(after.filter((row) => SUBSCRIBER.test(row))).toEqual([still]);
    // The act in the audit trail, and the hash of the ID.
    expect(after).toHaveLength(before.length + 2);
    expect(await notes()).toMatchObject([
      { action: 'erased' },
      { action: 'noted', text: 'called erased, subscriber-22 and Subscriber-2-b, not erased' },
      { action: 'watch-made', watch: 'subscriber:a,erased tz:UTC' },
    ]);
  });

  /** Values of the example rows' own state. */
  const OWN = '17 00 59 1 29 2026 550 true null failed email high production C9'.split(' ');
  test.each([...OWN, 'U0ANN', 'UTC', 'digest', 'tag-2', 'order 17', '_', '%', '"', '\\', '.*', '{}'])(
    "changes nothing of others, and none of Notif's own state: %s",
    async (id) => {
      const { db } = store();
      for (const statement of exampleRows()) await db.write(statement);
      await db.write(
        `UPDATE environments SET read_to = '{"17": "2026-11-17T17:17:17.017Z", "1": "2026-11-25T12:00:00.000Z"}'`,
      );
      for (const table of ['incidents', 'wordings'])
        await db.write(
          `UPDATE ${table} SET cause_text = '550 5.1.1 Delivery failed: order 17', cause_key = '550 5.1.1 delivery failed: order §'
          WHERE $1 <> 'order 17' AND $1 <> '17'`,
          [id],
        );
      await db.write(`UPDATE slack_messages SET kind = 'line', content =
        '{"is": "escalated", "watchId": "watch-9", "incidentId": 17, "at": "2026-11-17T17:17:17Z"}'`);
      const before = await storedRows(db);
      expect(await erase(id)).toMatchObject({ rows: 0 });
      const isNew = (row: string) => !before.includes(row);
      const added = [expect.stringMatching(/^audit .*"erased"/), expect.stringMatching(/^kv .*"erased:/)];
      expect((await storedRows(db)).filter(isNew)).toEqual(added);
      expect(await unreadableValues(db)).toEqual([]);
    },
  );

  test.each(['+31 6', 'a"b', 'a\\b', '100%', '_', 'ü 1', "o'neil", '{"a": 1}', '17'])(
    'finds an ID of any characters in a sentence and in a filter: %s',
    async (id) => {
      const { db } = store();
      for (const statement of exampleRows()) await db.write(statement);
      await recordEntry(db, {
        ...noted(''),
        change: stored({ action: 'noted', text: boundedId(`called ${id}, then`), incident: INCIDENT }),
      });
      await db.write(
        `UPDATE watches SET settings = jsonb_set(settings, '{filter,subscribers}', jsonb_build_array($1::text))`,
        [id],
      );
      expect(await erase(id)).toEqual({ rows: 2, left: {} });
      expect(await notes()).toContainEqual({ action: 'noted', text: 'called erased, then', incident: INCIDENT });
      expect(`${await storedRows(db)}`).toContain('"subscribers": ["erased"]');
    },
  );
});
