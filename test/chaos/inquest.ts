import { z } from 'zod';
import type { OpenDb } from '../../src/store/open.ts';
import { sentenceOf } from './plan.ts';

/** How one bot lived and died. */
export interface Life {
  number: number;
  death: 'at a point' | 'from outside';
  /** The request path or Slack method that arms the killer, empty for the start, and the number of points from there at which it kills. */
  armedBy: string;
  killAt: string;
  /** The causes planted during this life, and those of earlier steps that failed during it. */
  planted: readonly string[];
  failing: readonly string[];
  log: string;
}

/** The last lives are always reported, whatever their causes. */
const LAST_LIVES = 3;

const Row = z.object({ row: z.record(z.string(), z.unknown()) });

const OF_THIS = '(SELECT id FROM incidents WHERE cause_text = $1)';

/** What the store holds about a cause, from failures to messages, and what may have kept it from being announced. */
const OF_CAUSE: Readonly<Record<string, string>> = {
  incidents: 'SELECT * FROM incidents WHERE cause_text = $1',
  failures: `SELECT * FROM failures WHERE incident_id IN ${OF_THIS} ORDER BY seq`,
  alerts: `SELECT * FROM alerts WHERE incident_id IN ${OF_THIS} ORDER BY at`,
  messages: `SELECT * FROM messages WHERE id IN (SELECT message_id FROM alerts WHERE incident_id IN ${OF_THIS}) ORDER BY created_at`,
};

const OF_ALL: Readonly<Record<string, string>> = {
  watches: 'SELECT * FROM watches',
  environments: 'SELECT * FROM environments',
  mutes: 'SELECT * FROM mutes',
  gaps: 'SELECT * FROM gaps WHERE closed_at IS NULL',
  'messages that are not posted': `SELECT * FROM messages WHERE state <> 'posted' ORDER BY created_at`,
};

/** Returns, as text, what is known of the causes that were announced wrongly, of the lives in which they failed, and of the last lives. */
export async function inquest(words: readonly string[], lives: readonly Life[], store: OpenDb): Promise<string> {
  const parts: string[] = [];
  for (const word of words) {
    parts.push(`# ${word}`);
    for (const [name, text] of Object.entries(OF_CAUSE)) parts.push(await table(store, name, text, [sentenceOf(word)]));
  }
  for (const [name, text] of Object.entries(OF_ALL)) parts.push(await table(store, name, text, []));
  const concerned = lives.filter(({ planted, failing }) =>
    words.some((word) => [...planted, ...failing].includes(word)),
  );
  for (const { log, ...life } of new Set([...concerned, ...lives.slice(-LAST_LIVES)])) {
    parts.push(`## life ${life.number}`, JSON.stringify(life), log);
  }
  return parts.join('\n');
}

async function table(store: OpenDb, name: string, text: string, values: readonly string[]): Promise<string> {
  const found = await store.db.rows(Row, `SELECT to_jsonb(found) AS row FROM (${text}) found`, values);
  const rows = found.map(({ row }) => JSON.stringify(row));
  return [`## ${name}: ${rows.length}`, ...rows].join('\n');
}
