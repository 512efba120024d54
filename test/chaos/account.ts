import { clientOf } from '../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { postedTwice, untrue } from '../simulation/account.ts';
import { owedIn } from '../simulation/due.ts';
import type { Sample } from '../simulation/samples.ts';
import { postsIn } from '../simulation/take-incidents.ts';
import { type Planted, sentenceOf } from './plan.ts';

/** Compares what was planted with what was recorded, announced and posted, by the account of test/simulation: empty if it is exact. */
export async function discrepancies(
  planted: readonly Planted[],
  samples: readonly [...Sample[], Sample],
  slack: LocalSlack,
): Promise<string[]> {
  const last = samples[samples.length - 1] as Sample;
  const causeOf = new Map(last.incidents.map(({ id, causeText }) => [id, causeText]));
  const recorded = countsOf(last.failures.map(({ incidentId }) => causeOf.get(incidentId) ?? ''));
  const messages = await messagesIn(last.watches, slack);
  const posts = postsIn(messages, { samples, pollMs: 1_000, isEdited: true, mayBeLost: false });
  const ours = new Set(last.watches.map(({ id }) => id));
  const written = last.messages.filter(({ state, watchId }) => state === 'posted' && ours.has(watchId ?? ''));
  return [
    ...compared('recorded', countsOf(planted.map(({ word }) => sentenceOf(word))), recorded),
    ...owedIn(samples, null)
      .owed.filter(({ to }) => to === last.at)
      .map(({ watch, words }) => `${watch} wasn't alerted to ${words}`),
    ...compared(
      'posted',
      countsOf(written.map(({ id }) => id)),
      countsOf(messages.map(({ deliveryId }) => deliveryId)),
    ),
    ...[...postedTwice({ posts }), ...untrue({ posts, promises: { clocksDifferByMs: 0 } })].map(
      ({ sentence }) => sentence,
    ),
  ];
}

async function messagesIn(watches: Sample['watches'], slack: LocalSlack) {
  const client = clientOf(slack);
  const found: Parameters<typeof postsIn>[0][number][] = [];
  for (const channel of new Set(watches.map((watch) => watch.channel))) {
    const add = ({ ts = '', text = '', metadata }: SlackMessage) => {
      const deliveryId = String(Object(metadata?.event_payload).delivery_id);
      const posted = { at: Number(ts) * 1_000, drawnAt: Number(ts) * 1_000 };
      const known = { isMarked: /possible duplicate/i.test(text), deletedAt: null, isBroadcast: false, incidents: [] };
      found.push({ ...known, deliveryId, channel, ...posted });
    };
    const request = { channel, limit: 200, include_all_metadata: true };
    const threads = await allPages((cursor) => client.conversations.history({ ...request, cursor }));
    for (const message of threads) {
      add(message);
      const replies = await client.conversations.replies({ ...request, ts: message.ts ?? '' });
      for (const reply of replies.messages ?? []) if (reply.ts !== message.ts) add(reply);
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

type SlackMessage = { ts?: string; text?: string; metadata?: { event_payload?: object } };

async function allPages<Item>(
  page: (cursor: string) => Promise<{ messages?: Item[]; response_metadata?: { next_cursor?: string } }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = '';
  do {
    const { messages = [], response_metadata: next } = await page(cursor);
    found.push(...messages);
    cursor = next?.next_cursor ?? '';
  } while (cursor !== '');
  return found;
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function compared(what: string, wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((key) => (wanted.get(key) ?? 0) !== (found.get(key) ?? 0))
    .map((key) => `${what}: "${key}" ${found.get(key) ?? 0} times, not ${wanted.get(key) ?? 0}`);
}
