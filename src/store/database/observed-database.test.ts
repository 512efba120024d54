import { expect, test } from 'vitest';
import { z } from 'zod';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Database } from './database.ts';
import { observedDatabase } from './observed-database.ts';

const One = z.object({ one: z.number() });

/** A database in which the statements in `failing` fail, and what an observer sees of it. */
function observed(failing: readonly string[]) {
  const told: string[] = [];
  const answer = async <Result>(text: string, result: Result): Promise<Result> => {
    if (failing.includes(text)) throw new Error('away');
    if (text === 'rejected') throw new StoreTroubleError('not-answering', undefined, { isKnown: true });
    if (text === 'unanswered') throw new StoreTroubleError('not-answering');
    return result;
  };
  const database: Database = {
    rows: async (Row, text) => answer(text, [Row.parse({ one: 1 })]),
    write: (text) => answer(text, 1),
    probe: (Row, text) => database.rows(Row, text),
    withTransaction: (work) =>
      work({ rows: database.rows, write: database.write, script: async (text) => answer(text, undefined) }),
    executeSql: (text) => answer(text, { rows: [] }),
    vacuum: async () => {},
    isOpen: () => true,
    close: async () => {},
  };
  const observe = (kind: string) => (outcome: string) => void told.push(`${kind} ${outcome}`);
  return { told, database: observedDatabase(database, observe) };
}

test('reports each statement by its kind and outcome', async () => {
  const { told, database } = observed(['bad']);
  expect(await database.rows(One, 'good')).toEqual([{ one: 1 }]);
  expect(await database.write('good')).toBe(1);
  await database.executeSql('good');
  await expect(database.rows(One, 'bad')).rejects.toThrow('away');
  expect(told).toEqual(['read ok', 'write ok', 'queue ok', 'read failed']);
});

test("distinguishes what is rejected for the store's known trouble from what fails", async () => {
  const { told, database } = observed([]);
  await expect(database.rows(One, 'unanswered')).rejects.toThrow(StoreTroubleError);
  await expect(database.rows(One, 'rejected')).rejects.toThrow(StoreTroubleError);
  await expect(database.withTransaction((sql) => sql.write('rejected'))).rejects.toThrow(StoreTroubleError);
  expect(told).toEqual(['read failed', 'read in-trouble', 'transaction in-trouble']);
});

test('reports a transaction as one, which its own work may roll back', async () => {
  const { told, database } = observed([]);
  expect(await database.withTransaction((sql) => sql.write('good'))).toBe(1);
  await expect(database.withTransaction(() => Promise.reject(new Error('fenced off')))).rejects.toThrow('fenced off');
  expect(told).toEqual(['transaction ok', 'transaction rolled-back']);
});
