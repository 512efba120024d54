import { eq, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { failures } from '../incidents/tables.ts';
import { heard } from '../lib/logger.testing.ts';
import { aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { StatementError } from '../store/errors.ts';
import { dbWith } from '../store/store.testing.ts';
import { settled } from './model-service.testing.ts';
import { failsAt, PolledEnvironment } from './polling.testing.ts';

const polled = new PolledEnvironment();

describe('a poll', () => {
  const invalid = new StatementError('invalid', '22021');
  const deadlock = new StatementError('deadlock', '40P01');

  const asText = (template: SQL) => new PgDialect().sqlToQuery(template);
  /** Refuses statements by their text, and by their values as JSON. */
  const refusing = (db: Db, error: Error, isRefused: (text: string, values: string) => boolean): Db =>
    dbWith(db, {
      rows: (Row, statement, values) => {
        const { sql: text, params } =
          typeof statement === 'string' ? { sql: statement, params: values } : asText(statement);
        return isRefused(text, JSON.stringify(params)) ? Promise.reject(error) : db.rows(Row, statement, values);
      },
      transaction: (work) => db.transaction((tx) => work(refusing(tx, error, isRefused))),
    });

  test('counts an event that the database refuses as unreadable, and records its neighbors', async () => {
    const db = refusing(
      polled.db,
      invalid,
      (text, values) => text.includes('failures f') && values.includes('odd one'),
    );
    polled.service.events.push(failsAt(-30), failsAt(-20, 'odd one'), failsAt(-10));
    expect(await polled.poll(0, { db })).toMatchObject({ newFailures: 2, newUnreadable: 1, newEvents: 3 });
    expect(await polled.poll(1, { db })).toMatchObject({ newUnreadable: 0 });
  });

  test.each([
    { what: 'failures', part: 'failures f' },
    { what: 'counts', part: 'DELETE FROM event_counts' },
  ])('is repeated as a whole where the database has trouble with its $what', async ({ part }) => {
    await polled.poll(0);
    polled.service.events.push(failsAt(10), failsAt(20));
    const db = refusing(polled.db, deadlock, (text) => text.includes(part));
    await expect(polled.poll(30, { db })).rejects.toThrow(deadlock);
    expect(await polled.known()).toMatchObject({ checkedTo: at(0) });
    expect(await polled.poll(40)).toMatchObject({ newEvents: 2, newUnreadable: 0 });
    expect(await polled.found()).toMatchObject({ failedEvents: 2 });
  });

  test('loses only an event that can’t be judged, and records one without a workflow and a person as such', async () => {
    const job = Object.defineProperty(aJob(), 'details', { get: () => expect.fail('a bug') });
    const broken = { ...anEvent({ id: 'broken', jobs: [job] }), createdAt: at(-10) };
    const bare = { ...aFailedEvent({ id: 'bare' }), workflow: null, subscriber: null, createdAt: at(-5) };
    polled.service.events.push(settled(broken), settled(bare), failsAt(-1));
    const { logger, log } = heard();
    expect(await polled.poll(0, { logger })).toMatchObject({ newEvents: 2, newFailures: 2, newUnreadable: 1 });
    expect(log).toMatchObject([{ level: 'error', fields: { environment: polled.name } }]);
    const stored = await polled.db
      .select()
      .from(failures)
      .where(eq(failures.environment, polled.name))
      .orderBy(failures.seq);
    expect(stored).toMatchObject([{ workflow: 'order-shipped' }, { workflow: null, subscriberId: null }]);
  });
});
