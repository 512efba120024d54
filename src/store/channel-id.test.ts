import { expect, onTestFinished, test } from 'vitest';
import { heard } from '../lib/logger.testing.ts';
import { enqueue } from '../outbox/messages.ts';
import { slackMessages } from '../outbox/tables.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { madeWatch } from '../watches/watches.testing.ts';
import { clearRefusal, watchesIn } from '../watches/watches.ts';
import { changeChannelId } from './channel-id.ts';
import { CountRow, onlyRow } from './db.ts';
import { at, NOON } from './examples.testing.ts';
import { openDb } from './open.ts';
import { dropDatabase, newDatabase } from './store.testing.ts';

const WAITING = `
  SELECT count(*)
  FROM pg_stat_activity
  WHERE datname = current_database()
    AND wait_event_type = 'Lock'`;

test('what is stored of a channel follows its ID once the outcome of a post there is stored, without a deadlock', async () => {
  const url = await newDatabase();
  const { logger, sentences } = heard();
  const { db, close } = await openDb({ kind: 'server', url }, { logger });
  onTestFinished(() => close().then(() => dropDatabase(url)));
  const { id } = await madeWatch(db, { channel: 'G0OPS', createdBy: 'U0ANN', settings: USUAL_SETTINGS }, NOON);
  await enqueue(db, { kind: 'digest', owner: id, channel: 'G0OPS', environment: 'production', createdAt: NOON });
  const known = sentences().length;
  let following = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.update(slackMessages).set({ nextAt: at(1) });
    following = changeChannelId(db, 'G0OPS', 'C0OPS');
    await expect.poll(async () => onlyRow(await db.rows(CountRow, WAITING)).count).toBe(1);
    await clearRefusal(tx, id);
  });
  await following;
  expect(sentences().slice(known)).toEqual([]);
  expect(await watchesIn(db, 'C0OPS')).toMatchObject([{ id, number: 1 }]);
  expect((await db.select().from(slackMessages)).map(({ channel }) => channel)).toEqual(['C0OPS']);
});
