import { z } from 'zod';
import { clientOf } from '../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { Count } from '../../src/store/db.ts';
import type { OpenDb } from '../../src/store/open.ts';
import { type Planted, sentenceOf } from './plan.ts';

/** A watch of the story: its channel, and which planted failures it covers. */
export interface Wanting {
  channel: string;
  wants: (failure: Planted) => boolean;
}

const Recorded = z.object({ cause: z.string(), failures: Count });
const Told = z.object({ channel: z.string(), cause: z.string(), times: Count, failures: Count });
const Sent = z.object({ channel: z.string(), id: z.string() });

/** Compares a finished story with what was planted: empty if each watch announced each of its failures once. */
export async function discrepancies(
  planted: readonly Planted[],
  watches: readonly Wanting[],
  { store, slack }: { store: OpenDb; slack: LocalSlack },
): Promise<string[]> {
  return [
    ...(await wronglyRecorded(planted, store)),
    ...(await wronglyTold(planted, watches, store)),
    ...(await wronglyPosted(watches, store, slack)),
  ];
}

async function wronglyRecorded(planted: readonly Planted[], store: OpenDb): Promise<string[]> {
  const recorded = await store.db.rows(
    Recorded,
    `SELECT i.cause_text AS cause, count(*) AS failures FROM failures f JOIN incidents i ON i.id = f.incident_id
     WHERE i.announcement = 'announced' GROUP BY 1`,
  );
  return compared('recorded', countsOf(planted), new Map(recorded.map(({ cause, failures }) => [cause, failures])));
}

/** Messages that say that an incident grew, relapsed or became critical come on top. */
async function wronglyTold(planted: readonly Planted[], watches: readonly Wanting[], store: OpenDb): Promise<string[]> {
  const announced = await store.db.rows(
    Told,
    `SELECT w.channel, i.cause_text AS cause, count(*) AS times, sum(i.recorded) AS failures
     FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id JOIN incidents i ON i.id = a.incident_id
     WHERE m.state = 'posted' AND a.reason NOT IN ('grown', 'relapsed', 'critical') GROUP BY 1, 2`,
  );
  return watches.flatMap(({ channel, wants }) => {
    const here = announced.filter((row) => row.channel === channel);
    const repeated = here
      .filter(({ times }) => times > 1)
      .map(({ cause, times }) => `${channel}: "${cause}" announced ${times} times`);
    const counts = new Map(here.map(({ cause, failures }) => [cause, failures]));
    return [...repeated, ...compared(`announced in ${channel}`, countsOf(planted.filter(wants)), counts)];
  });
}

/** Checks that each message stored as posted is once in its channel or thread, and that there are no other messages. */
async function wronglyPosted(watches: readonly Wanting[], store: OpenDb, slack: LocalSlack): Promise<string[]> {
  const written = await store.db.rows(
    Sent,
    `SELECT w.channel, m.id FROM messages m JOIN watches w ON w.id = m.watch_id WHERE m.state = 'posted'`,
  );
  const wrong: string[] = [];
  for (const { channel } of watches) {
    const wanted = new Map(written.filter((one) => one.channel === channel).map(({ id }) => [id, 1]));
    wrong.push(...compared(`posted in ${channel}`, wanted, await postedIn(channel, slack)));
  }
  return wrong;
}

async function postedIn(channel: string, slack: LocalSlack): Promise<ReadonlyMap<string, number>> {
  const client = clientOf(slack);
  const counts = new Map<string, number>();
  let cursor = '';
  do {
    const page = await client.conversations.history({ channel, limit: 200, include_all_metadata: true, cursor });
    for (const { metadata, ts = '', reply_count: replies = 0 } of page.messages ?? []) {
      count(metadata, counts);
      if (replies > 0) await countReplies({ channel, ts }, client, counts);
    }
    cursor = page.response_metadata?.next_cursor ?? '';
  } while (cursor !== '');
  return counts;
}

async function countReplies(
  thread: { channel: string; ts: string },
  client: ReturnType<typeof clientOf>,
  counts: Map<string, number>,
): Promise<void> {
  const page = await client.conversations.replies({ ...thread, limit: 200, include_all_metadata: true });
  for (const { metadata, ts } of page.messages ?? []) if (ts !== thread.ts) count(metadata, counts);
}

function count(metadata: { event_payload?: object } | undefined, counts: Map<string, number>): void {
  const id = String(Object(metadata?.event_payload).delivery_id);
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function countsOf(planted: readonly Planted[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of planted) counts.set(sentenceOf(word), (counts.get(sentenceOf(word)) ?? 0) + 1);
  return counts;
}

function compared(what: string, wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((key) => (wanted.get(key) ?? 0) !== (found.get(key) ?? 0))
    .map((key) => `${what}: "${key}" ${found.get(key) ?? 0} times, not ${wanted.get(key) ?? 0}`);
}
