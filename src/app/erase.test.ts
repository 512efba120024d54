import { expect, test } from 'vitest';
import { auditEntries, type NewEntry, recordEntry } from '../audit/audit.ts';
import { boundedId, storableTyped } from '../lib/text/shown-id.ts';
import { at } from '../store/examples.testing.ts';
import { describeStore, exampleRows, storedRows } from '../store/store.testing.ts';
import { eraseSubscriber } from './erase.ts';

const SUBSCRIBER = /(?<![\w-])subscriber-2(?![\w-])/i;

describeStore('Erasing a subscriber', (store) => {
  test('leaves nothing of them in any case or column but what is named, everything of others, and an entry without their ID', async () => {
    const { db } = store();
    for (const statement of exampleRows()) await db.write(statement);
    const incident = { number: 29, channel: boundedId('email'), provider: null };
    const note = (text: string): NewEntry => ({
      ...{ at: at(0), actor: 'U0ANN', channel: null, environment: null, intentId: null },
      ...{ change: { action: 'noted', text: storableTyped(text), incident }, outcome: { is: 'done' } },
    });
    await recordEntry(db, note('called subscriber-2, subscriber-22 and subscriber-2-b'));
    await db.write(`UPDATE incidents SET cause_text = 'Subscriber-2 subscriber-2', cause_key = 'subscriber-2'`);
    await db.write(`UPDATE triggers SET why = 'unknown subscriber-2'`);
    await db.write(`UPDATE changes SET what = '{"kind": "deploy", "name": "fix of SUBSCRIBER-2", "actor": null}'`);
    await db.write(`UPDATE incidents SET headline = 'Subscriber-2 is unknown', provider = 'subscriber-2-b'`);
    await db.write(`UPDATE workflows SET name = 'for subscriber-2'`);
    const before = await storedRows(db);
    const named = before.filter((row) => SUBSCRIBER.test(row)).length;
    expect(named).toBeGreaterThan(8);
    const erased = await eraseSubscriber(db, 'subscriber-2', at(1));
    expect(erased).toEqual({ rows: expect.any(Number), left: { 'workflows.name': 1 } });
    const after = await storedRows(db);
    expect(after.filter((row) => SUBSCRIBER.test(row))).toEqual([
      expect.stringMatching(/^workflows .*for subscriber-2/),
    ]);
    expect(after).toHaveLength(before.length + 1);
    const all = { since: at(-9_999_999), environments: [], olderThan: null, limit: 9 };
    expect((await auditEntries(db, all)).items.map(({ change }) => change)).toMatchObject([
      { action: 'erased' },
      { action: 'noted', text: 'called erased, subscriber-22 and subscriber-2-b' },
      { action: 'credentials', subscriberId: 'erased' },
    ]);
  });
});
