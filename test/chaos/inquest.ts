import { z } from 'zod';
import type { Store } from '../../src/store/store.ts';
import { sentenceOf } from './plan.ts';

/** How one bot lived and died. */
export interface Life {
  readonly number: number;
  readonly death: 'at a point' | 'from outside';
  /** The request path or Slack method that arms the killer, empty for the start, and the number of points from there at which it kills. */
  readonly armedBy: string;
  readonly killAt: string;
  /** The causes planted during this life, and those of earlier steps that failed during it. */
  readonly planted: readonly string[];
  readonly failing: readonly string[];
  readonly log: string;
}

/** The last lives are always reported, whatever their causes. */
const LAST_LIVES = 3;

const Row = z.object({ row: z.record(z.string(), z.unknown()) });

/** What the store holds about a cause, from failures to messages, and what may have kept it from being announced. */
const OF_CAUSE: Readonly<Record<string, string>> = {
  groups: 'SELECT * FROM groups WHERE key IN (SELECT key FROM asked)',
  failures: 'SELECT * FROM failures WHERE group_key IN (SELECT key FROM asked) ORDER BY seq',
  episodes: 'SELECT * FROM episodes WHERE id IN (SELECT id FROM episode)',
  episode_parts: 'SELECT * FROM episode_parts WHERE episode_id IN (SELECT id FROM episode)',
  held_back: 'SELECT * FROM held_back WHERE episode_id IN (SELECT id FROM episode)',
  announcements: 'SELECT * FROM announcements WHERE episode_id IN (SELECT id FROM episode) ORDER BY announced_at',
  messages: `SELECT * FROM messages WHERE id IN (SELECT message_id FROM announcements WHERE episode_id IN (SELECT id FROM episode))
    ORDER BY created_at`,
};

const OF_ALL: Readonly<Record<string, string>> = {
  watches: 'SELECT * FROM watches',
  positions: 'SELECT * FROM positions',
  environments: 'SELECT * FROM environments',
  mutes: 'SELECT * FROM mutes',
  gaps: 'SELECT * FROM gaps WHERE closed_at IS NULL',
  slack_pauses: 'SELECT * FROM slack_pauses',
  'messages that are not posted': `SELECT * FROM messages WHERE state <> 'posted' ORDER BY created_at`,
};

/** Returns, as text, what is known of the causes that were announced wrongly, of the lives in which they failed, and of the last lives. */
export async function inquest(words: readonly string[], lives: readonly Life[], store: Store): Promise<string> {
  const parts: string[] = [];
  for (const word of words) {
    parts.push(`# ${word}`);
    for (const [name, text] of Object.entries(OF_CAUSE))
      parts.push(await table(store, name, withCause(text), [sentenceOf(word)]));
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

function withCause(text: string): string {
  return `WITH asked AS (SELECT key, incident_key FROM groups WHERE cause_text = $1),
    episode AS (SELECT id FROM episodes WHERE incident_key IN (SELECT incident_key FROM asked)) ${text}`;
}

async function table(store: Store, name: string, text: string, values: readonly string[]): Promise<string> {
  const found = await store.executeSql(`SELECT to_jsonb(found) AS row FROM (${text}) found`, values);
  const rows = found.rows.map((row) => JSON.stringify(Row.parse(row).row));
  return [`## ${name}: ${rows.length}`, ...rows].join('\n');
}
