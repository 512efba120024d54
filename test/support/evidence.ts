import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import type { Call } from '../../sandbox/slack/calls.ts';
import { isJson, parseJson } from '../../sandbox/slack/json.ts';
import { asRead } from './reading.ts';

const Table = z.object({ name: z.string() });
const Row = z.object({ row: z.string() });

/** Every row of every table, the job queue's too, that a stopped bot has left in its data folder: the table's name, the columns as JSON. */
export async function everyRowIn(dataFolder: string): Promise<readonly string[]> {
  const database = await PGlite.create(join(dataFolder, 'postgres'));
  try {
    const { rows: tables } = await database.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const kept: string[] = [];
    for (const { name } of tables.map((table) => Table.parse(table))) {
      const { rows } = await database.query(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      kept.push(...rows.map((row) => `${name} ${Row.parse(row).row}`));
    }
    return kept;
  } finally {
    await database.close();
  }
}

/** All that a call tells Slack, shown or not. */
export function toldBy({ args }: Call): string {
  return JSON.stringify(unfolded(args));
}

/** The texts of a call in which Slack looks for markup, as somebody reads them: those of `mrkdwn` objects, and the message's own `text`. */
export function markupIn({ args }: Call): readonly string[] {
  const own = typeof args.text === 'string' ? [args.text] : [];
  return [...own, ...mrkdwnIn(unfolded(args))].map(asRead);
}

/** The texts that tell one of the secrets, if only its last eight characters; of an email address it is what stands before the @. */
export function textsTelling(secrets: readonly string[], texts: readonly string[]): readonly string[] {
  const endings = secrets.map((secret) => secret.replace(/@.*/, '').slice(-8));
  return texts.filter((text) => endings.some((ending) => text.includes(ending)));
}

/** Over the Web API, blocks and views come as JSON text. */
function unfolded(args: Call['args']): unknown {
  const entries = Object.entries(args);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? (parseJson(value) ?? value) : value]),
  );
}

function mrkdwnIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnIn);
  if (!isJson(value)) return [];
  const own = value.type === 'mrkdwn' && typeof value.text === 'string' ? [value.text] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnIn)];
}
