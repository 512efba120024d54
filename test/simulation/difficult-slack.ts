import { LogLevel, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { silent } from '../../src/lib/logger.testing.ts';
import { inAcceptedForm } from '../../src/slack/connection/wrapped-fetch.ts';
import type { Stretch } from './facts.ts';
import type { Story } from './story.ts';
import { MINUTE, SECOND, type VirtualTime } from './virtual-time.ts';
import type { Switch, World } from './world.ts';

interface PostedMessage {
  deliveryId: string;
  channel: string;
  ts: string;
  /** The parent message of a reply; null for a message in the channel itself. */
  threadTs: string | null;
  at: number;
  /** When Notif asked for it, as the `at` of an edit. */
  drawnAt: number;
  /** Whether its text says that it may be a duplicate. */
  isMarked: boolean;
  metadata: string;
  deletedAt: number | null;
}

/** A message as it stood in Slack from `at` on: posted, or edited. */
export interface Shown {
  deliveryId: string;
  /** A channel, or a person. */
  place: string;
  at: number;
  drawnAt: number;
  isEdit: boolean;
  /** The delivery in whose thread it is. */
  threadOf: string | null;
  isBroadcast: boolean;
  isMarked: boolean;
  text: string;
}

export interface DifficultSlack {
  client(caller: Caller): WebClient;
  messages: readonly PostedMessage[];
  edits: readonly { at: number; deliveryId: string }[];
  /** All that people could read, in order. */
  shown: readonly Shown[];
  /** When Slack didn't answer, or didn't say what it had done. */
  troubles: readonly Stretch[];
}

/** The process that calls: `life` ends with it. */
interface Caller {
  life: AbortSignal;
  thawed: () => Promise<void>;
}

const CALL_MS = 150;
/** Notif gives a call up after ten seconds. */
const LONGEST_CALL_MS = 9 * SECOND;
/** Whom Slack refuses direct messages, where it does. */
export const UNREACHABLE = 'U0BEN';
const BOT = 'B0NOTIF';
/** What a message says when an earlier post of it may be in the channel. */
const REPEAT = /possible (repeat|duplicate)/i;

/** Creates the Slack of a world: the methods for posting, editing and finding messages, behind the real Web API client. */
export function createDifficultSlack(world: World, story: Story, time: VirtualTime): DifficultSlack {
  const messages: PostedMessage[] = [];
  const edits: { at: number; deliveryId: string }[] = [];
  const shown: Shown[] = [];
  const attempts = new Map<string, number>();
  const nature = natureOf(world, story);
  const isCalm = () => time.now() >= story.calmFrom;

  const isNow = ({ from, to }: Stretch) => time.now() >= from && time.now() < to;

  async function answer(method: string, body: URLSearchParams, { life, thawed }: Caller): Promise<Response> {
    const drawnAt = time.now();
    await time.sleep(nature.callMs / 2, life);
    if (nature.absences.some(isNow)) throw noConnection();
    const isUnsure = nature.unsure.some(isNow) && method !== 'chat.postMessage';
    const act = isUnsure ? () => jsonResponse(500, {}) : (METHODS[method] ?? (() => refusal('unknown_method')));
    const result = await act(body, drawnAt);
    await time.sleep(nature.callMs / 2, life);
    await thawed();
    return result;
  }

  const METHODS: { [method: string]: (body: URLSearchParams, drawnAt: number) => Promise<Response> | Response } = {
    'chat.postMessage': post,
    'chat.update': edit,
    'conversations.history': history,
    'conversations.replies': history,
    'auth.test': () => ok({ bot_id: BOT }),
    'conversations.open': (body) => ok({ channel: { id: body.get('users') } }),
  };

  async function post(body: URLSearchParams, drawnAt: number): Promise<Response> {
    const channel = body.get('channel') ?? '';
    const deliveryId = deliveryIdIn(body);
    const threadTs = body.get('thread_ts');
    const parent = messages.find(({ ts, channel: itsChannel }) => ts === threadTs && itsChannel === channel);
    const isThreadGone = threadTs !== null && (parent === undefined || isDeleted(parent));
    if (isThreadGone) return refusal('thread_not_found');
    if (world.has('direct-messages-refused') && channel === UNREACHABLE) return refusal('messages_tab_disabled');
    if (threadTs !== null && world.has('threads-locked')) return refusal('restricted_action_thread_locked');
    const attempt = (attempts.get(deliveryId) ?? 0) + 1;
    attempts.set(deliveryId, attempt);
    const before = messages.filter((old) => old.channel === channel).length;
    const chance = world.random(`post ${channel} ${before} ${attempt}`);
    if (nature.refusals.some(isNow)) return refusal(chance.pick(CHANNEL_REFUSALS));
    if (world.has('posts-limited') && !isCalm() && chance.chance(0.3)) return limited(chance.between(1, 60));
    if (world.has('blocks-refused') && !hasWordsAlone(body)) return refusal('invalid_blocks');
    const text = `${body.get('text') ?? ''} ${body.get('blocks') ?? ''}`;
    const carryOut = (at: number): string => {
      const ts = `${Math.floor(at / SECOND)}.${String(messages.length + 1).padStart(6, '0')}`;
      messages.push({
        deliveryId,
        channel,
        ts,
        threadTs,
        at,
        drawnAt,
        metadata: body.get('metadata') ?? '{}',
        isMarked: REPEAT.test(text),
        deletedAt: null,
      });
      show({ deliveryId, place: channel, at, drawnAt, isEdit: false, threadOf: parent?.deliveryId ?? null }, body);
      return ts;
    };
    // One of a lost post, a late one, a lost answer, or none of them.
    const how = isCalm() ? null : chance.next();
    if (nature.unsure.some(isNow)) {
      if (chance.chance(0.4))
        time.at(time.now() + chance.pick([0, 2 * SECOND, 40 * SECOND]), () => carryOut(time.now()));
      return jsonResponse(chance.pick([500, 503]), {});
    }
    if (how !== null && world.has('posts-lost') && how < 0.2) return lostAnswer(chance.next());
    if (how !== null && world.has('posts-late') && how >= 0.2 && how < 0.4) {
      time.at(time.now() + chance.between(100, 2_500), () => void carryOut(time.now()));
      return lostAnswer(chance.next());
    }
    const ts = carryOut(time.now());
    if (how !== null && world.has('answers-lost') && how >= 0.4 && how < 0.7) return lostAnswer(chance.next());
    return ok({ channel, ts });
  }

  function show(place: Omit<Shown, 'text' | 'isBroadcast' | 'isMarked'>, body: URLSearchParams): void {
    const text = wordsIn(body);
    shown.push({
      ...place,
      isBroadcast: body.get('reply_broadcast') === 'true',
      isMarked: REPEAT.test(`${text} ${body.get('text')}`),
      text,
    });
  }

  function edit(body: URLSearchParams, drawnAt: number): Response {
    const message = messages.find(({ ts, channel }) => ts === body.get('ts') && channel === body.get('channel'));
    if (message === undefined || isDeleted(message)) return refusal('message_not_found');
    if (world.has('edits-limited') && !isCalm() && world.random(`edit ${edits.length} ${time.now()}`).chance(0.2))
      return limited(20);
    if (world.has('edits-refused') && time.now() - message.at >= nature.editWindowMs)
      return refusal('edit_window_closed');
    if (world.has('edit-blocks-refused') && !hasWordsAlone(body)) return refusal('invalid_blocks');
    edits.push({ at: drawnAt, deliveryId: message.deliveryId });
    const { deliveryId, channel: place } = message;
    show({ deliveryId, place, at: time.now(), drawnAt, isEdit: true, threadOf: null }, body);
    return ok({ channel: message.channel, ts: message.ts });
  }

  function history(body: URLSearchParams): Response {
    if (world.has('no-history')) return refusal('missing_scope');
    const since = Number(body.get('oldest') ?? '0') * SECOND;
    const found = messages.filter(
      (old) =>
        old.channel === body.get('channel') && old.threadTs === body.get('ts') && old.at >= since && !isDeleted(old),
    );
    return ok({
      messages: found.reverse().map(({ ts, metadata }) => ({ ts, bot_id: BOT, metadata: JSON.parse(metadata) })),
    });
  }

  function isDeleted(message: PostedMessage): boolean {
    if (!world.has('messages-deleted')) return false;
    const chance = world.random(`deleted ${message.channel} ${message.ts}`);
    if (!chance.chance(0.75) || message.at >= story.calmFrom) return false;
    const deletedAt = message.at + chance.between(1, 20) * MINUTE;
    if (time.now() >= deletedAt) message.deletedAt = deletedAt;
    return message.deletedAt !== null;
  }

  return {
    messages,
    edits,
    shown,
    troubles: [...nature.absences, ...nature.unsure, ...nature.refusals],
    client: (caller) =>
      new WebClient('xoxb-model', {
        slackApiUrl: 'https://slack.example/api/',
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        logger: quiet,
        fetch: inAcceptedForm(
          (url, init) =>
            answer(String(url).split('/').at(-1) ?? '', new URLSearchParams(String(init?.body ?? '')), caller),
          new Set(),
          silent,
        ),
      }),
  };
}

function deliveryIdIn(body: URLSearchParams): string {
  const metadata: unknown = JSON.parse(body.get('metadata') ?? '{}');
  return String(Object(Object(metadata).event_payload).delivery_id);
}

/** The properties of a world's Slack, drawn once. */
interface SlackNature {
  editWindowMs: number;
  /** When it can't be reached. */
  absences: readonly Stretch[];
  /** When it answers 5xx, whether or not it posts. */
  unsure: readonly Stretch[];
  /** When it refuses posts to a channel. */
  refusals: readonly Stretch[];
  callMs: number;
}

const CHANNEL_REFUSALS = ['channel_not_found', 'not_in_channel', 'is_archived', 'restricted_action'] as const;

function natureOf(world: World, { start, calmFrom }: Story): SlackNature {
  const edits = world.random('edit window');
  const away = world.random('slack away');
  const stretches = (name: Switch, most: number) =>
    Array.from({ length: world.has(name) ? away.between(1, 2) : 0 }, () => {
      const from = away.between(start, calmFrom);
      return { from, to: from + away.between(1, most) * MINUTE };
    });
  const [absences, unsure] = [stretches('slack-away', 45), stretches('slack-unsure', 10)];
  // A watch whose channel is refused for ten minutes has ended, by whatever clock.
  const refusals = world.has('clock-steps') || world.has('freezes') ? [] : stretches('channels-refused', 7).slice(0, 1);
  const callMs = edits.pick([CALL_MS, CALL_MS, LONGEST_CALL_MS]);
  return { editWindowMs: edits.pick([0, MINUTE, 5 * MINUTE]), absences, unsure, refusals, callMs };
}

const Text = z.object({ text: z.string() }).nullable().catch(null);
const Block = z.object({ type: z.string(), text: Text, elements: z.array(z.object({ text: z.unknown() })).catch([]) });
const Blocks = z.array(Block);

/** Returns what people read. In a plain text, the first line is the notification's, and the mention is the second: people read it first. */
function wordsIn(body: URLSearchParams): string {
  const blocks = Blocks.parse(JSON.parse(body.get('blocks') ?? '[]'));
  const words = blocks.flatMap(({ type, text, elements }) => {
    const texts = type === 'context' ? elements.map((element) => element.text) : [text?.text];
    return texts.filter((each) => typeof each === 'string');
  });
  if (words.length > 0) return words.join('\n');
  return (body.get('text') ?? '').replace(/^(.*)\n(<[!@][^>]*>)(?=\n|$)/, '$2\n$1');
}

/** A plain section is never refused. */
const hasWordsAlone = (body: URLSearchParams) => JSON.parse(body.get('blocks') ?? '[]').length <= 1;

const ok = (body: object) => jsonResponse(200, { ok: true, ...body });
const refusal = (error: string) => jsonResponse(200, { ok: false, error });
const limited = (seconds: number) =>
  jsonResponse(429, { ok: false, error: 'ratelimited' }, { 'retry-after': `${seconds}` });

/** Returns a lost answer: none at all, or one that doesn't say whether the post arrived. */
function lostAnswer(chance: number): Response {
  if (chance < 0.3)
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  return chance < 0.6 ? jsonResponse(500, {}) : refusal('internal_error');
}

function noConnection(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
}

function jsonResponse(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

const quiet = { ...silent, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} };
