import { clientOf } from '../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { type Discrepancy, postedTwice } from '../simulation/account.ts';
import type { Post } from '../simulation/facts.ts';
import type { Sample } from '../simulation/samples.ts';
import { type Planted, sentenceOf } from './plan.ts';

/** Compares what was planted with what was recorded, announced and posted: empty if it is exact. */
export async function discrepancies(
  planted: readonly Planted[],
  samples: readonly [...Sample[], Sample],
  slack: LocalSlack,
): Promise<string[]> {
  const last = samples[samples.length - 1] as Sample;
  const causeOf = new Map(last.incidents.map(({ id, causeText }) => [id, causeText]));
  const recorded = countsOf(last.failures.map(({ incidentId }) => causeOf.get(incidentId) ?? ''));
  const posts = await postsIn(last.watches, slack);
  const channels = new Set(last.watches.map(({ channel }) => channel));
  const written = last.messages.filter(({ state, channel }) => state === 'posted' && channels.has(channel));
  const twice: readonly Discrepancy[] = postedTwice({ posts });
  return [
    ...compared('recorded', countsOf(planted.map(({ word }) => sentenceOf(word))), recorded),
    ...unalerted(samples, last),
    ...compared('posted', countsOf(written.map(({ id }) => id)), countsOf(posts.map(({ deliveryId }) => deliveryId))),
    ...twice.map(({ sentence }) => sentence),
  ];
}

type Incident = Sample['incidents'][number];

/** A watch that covered an incident all the time has it in a message, or another watch of its channel does, unless somebody muted it. */
function unalerted(samples: readonly Sample[], last: Sample): string[] {
  const ownerOf = new Map(last.messages.flatMap(({ id, owner, state }) => (state === 'posted' ? [[id, owner]] : [])));
  return last.watches.flatMap(({ id, channel }) => {
    const settings = samples.flatMap(({ watches }) =>
      watches.filter((watch) => watch.id === id).map((watch) => watch.settings),
    );
    const muted = last.mutes.filter((mute) => mute.watchId === id);
    const inChannel = new Set(last.watches.flatMap((watch) => (watch.channel === channel ? [watch.id] : [])));
    const told = new Set(
      last.subjects.flatMap(({ messageId, subject }) => (inChannel.has(ownerOf.get(messageId) ?? '') ? [subject] : [])),
    );
    const isCovered = ({ channel: failing }: Incident) =>
      settings.every(({ filter }) => filter.channels.length === 0 || filter.channels.includes(failing));
    const isMuted = ({ id: number }: Incident) =>
      muted.some(({ incidentId }) => incidentId === null || incidentId === number);
    const owed = last.incidents.filter(
      (incident) => incident.verdictClass === 'announced' && isCovered(incident) && !isMuted(incident),
    );
    const missing = owed.filter(({ id: number }) => !told.has(`incident ${number}`));
    return missing.map((incident) => `${channel} wasn't alerted to #${incident.id} (${incident.causeText})`);
  });
}

async function postsIn(watches: Sample['watches'], slack: LocalSlack): Promise<Post[]> {
  const client = clientOf(slack);
  const found: Post[] = [];
  for (const channel of new Set(watches.map((watch) => watch.channel))) {
    const add = ({ ts = '', text = '', metadata }: SlackMessage) => {
      const deliveryId = String(Object(metadata?.event_payload).delivery_id);
      const at = Number(ts) * 1_000;
      const isMarked = /possible duplicate/i.test(text);
      found.push({ deliveryId, channel, at, askedAt: at, isMarked, standsUntil: Number.POSITIVE_INFINITY });
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
