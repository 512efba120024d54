import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import type { ExplainCause } from '../../../causes/explain-cause.ts';
import type { Publisher, Search } from '../../../digests/deliver.ts';
import type { Content } from '../../../digests/message.ts';
import { NAMES_WITHIN_MS } from '../../../digests/pace.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { Logger } from '../../../lib/logger.ts';
import { forEveryone, type PublicContent } from '../../kit/for-everyone.ts';
import { sendable } from '../../kit/sendable.ts';
import { unlinked } from '../../kit/unlinked.ts';
import { type DrawingOptions, deliveryMessage } from './delivery-message.ts';
import { editFailure, findFailure, isAboutBlocks, postFailure } from './slack-outcome.ts';
import { peopleIn } from './thread.ts';

export interface PublisherCtx {
  /** Tries each call once: a repeated post would be a second message, and the store remembers rate limits for all replicas. */
  readonly deliveryClient: WebClient;
  readonly environments: readonly Environment[];
  readonly explainCause: ExplainCause;
  readonly logger: Logger;
}

/** The prefix of the hash of a message that is marked as a possible duplicate; edits keep the mark. */
const REPEAT_MARK = 'repeat:';

/** Outcomes describe Slack's responses; it only rejects with other errors. */
export function createPublisher(ctx: PublisherCtx): Publisher {
  const { deliveryClient: client, environments, explainCause } = ctx;
  const drawn = (content: Content, options: Omit<DrawingOptions, 'environments' | 'explainCause'>) =>
    forEveryone(deliveryMessage(content, { ...options, environments, explainCause }));
  return {
    post: async (content, { possibleRepeat }) => {
      const names = await namesIn(content, client);
      const message = drawn(content, { possibleRepeat, names, isNew: true });
      const asEdited = drawn(content, { possibleRepeat, names, isNew: false });
      try {
        const ts = await sendOrWords(ctx, content.id, message, (said) => post(ctx, content, said));
        if (ts === null) return { outcome: 'no-thread', reason: 'the parent message was deleted' };
        return { outcome: 'posted', ts, shownHash: hashOf(asEdited, possibleRepeat) };
      } catch (error) {
        return postFailure(error);
      }
    },
    edit: async (content, { channel, ts, shownHash }) => {
      const possibleRepeat = (shownHash ?? '').startsWith(REPEAT_MARK);
      const message = drawn(content, { possibleRepeat, names: await namesIn(content, client), isNew: false });
      const now = hashOf(message, possibleRepeat);
      if (now === shownHash) return { outcome: 'unchanged', shownHash: now };
      try {
        await sendOrWords(ctx, content.id, message, ({ text, blocks }) =>
          client.chat.update({ channel, ts, text, blocks: [...blocks] }),
        );
        return { outcome: 'edited', shownHash: now };
      } catch (error) {
        return editFailure(error);
      }
    },
    find: (message, since) => findMessage(message, since, client).catch(findFailure),
  };
}

/** If Slack refuses the blocks, sends the text alone. */
async function sendOrWords<Sent>(
  { logger }: PublisherCtx,
  messageId: string,
  message: PublicContent,
  send: (message: PublicContent) => Promise<Sent>,
): Promise<Sent> {
  const fitted = sendable(message);
  try {
    return await send(fitted);
  } catch (error) {
    if (!isAboutBlocks(error)) throw error;
    logger.error({ messageId, err: error }, 'Slack refused the blocks of a message, sending its words alone');
    return send(forEveryone({ text: unlinked(fitted.text), blocks: [] }));
  }
}

/**
 * Slack posts a reply whose parent was deleted as a message of its own, where nobody can see what it's about: it's
 * deleted again, and null is returned.
 */
async function post(
  { deliveryClient: client, logger }: PublisherCtx,
  content: Content,
  { text, blocks }: PublicContent,
): Promise<string | null> {
  const said = {
    channel: content.channel,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
    metadata: { event_type: EVENT_TYPE, event_payload: { delivery_id: content.id } },
    unfurl_links: false,
    unfurl_media: false,
  };
  const isReply = content.kind === 'thread';
  const answer = await client.chat.postMessage(
    isReply ? { ...said, thread_ts: content.threadTs, reply_broadcast: content.isBroadcast } : said,
  );
  const { ts = '', channel = content.channel, message } = answer;
  if (!isReply || message === undefined || message.thread_ts !== undefined) return ts;
  await client.chat.delete({ channel, ts }).catch((err: unknown) => {
    logger.error({ messageId: content.id, err }, 'a reply that Slack posted outside its thread could not be deleted');
  });
  return null;
}

function hashOf(message: PublicContent, possibleRepeat: boolean): string {
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32);
  return possibleRepeat ? `${REPEAT_MARK}${hash}` : hash;
}

/** A thread names people without notifying them; leaves out anyone whom Slack doesn't name within two seconds. */
async function namesIn(content: Content, client: WebClient): Promise<ReadonlyMap<string, string>> {
  const people = content.kind === 'thread' ? peopleIn(content.event) : [];
  const named = people.map(async (id): Promise<[string, string | null]> => {
    const name = client.users.info({ user: id }).then(
      ({ user }) => user?.profile?.display_name || user?.profile?.real_name || user?.name || null,
      () => null,
    );
    return [id, await Promise.race([name, setTimeout(NAMES_WITHIN_MS, null, { ref: false })])];
  });
  return new Map((await Promise.all(named)).flatMap(([id, name]) => (name === null ? [] : [[id, name]])));
}

const EVENT_TYPE = 'notif_delivery';

/** How far Notif's clock can be ahead of Slack's when it looks for a lost post. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
const MESSAGES_A_PAGE = 200;

/** Matches a person's ID. Their direct message has a different ID, which only Slack knows. */
const PERSON = /^[UW]/;

/** `since` is a time of Notif's clock. */
async function findMessage(
  { id, channel: channelOrPerson, threadTs }: Parameters<Publisher['find']>[0],
  since: Date,
  client: WebClient,
): Promise<Search> {
  const opened = PERSON.test(channelOrPerson) ? await client.conversations.open({ users: channelOrPerson }) : null;
  const query = {
    channel: opened?.channel?.id ?? channelOrPerson,
    oldest: String((since.getTime() - CLOCK_TOLERANCE_MS) / 1000),
    include_all_metadata: true,
    limit: MESSAGES_A_PAGE,
  };
  let cursor: string | undefined;
  do {
    const page = await (threadTs === null
      ? client.conversations.history({ ...query, ...(cursor && { cursor }) })
      : client.conversations.replies({ ...query, ...(cursor && { cursor }), ts: threadTs }));
    const found = page.messages?.find(({ metadata }) => deliveryIdOf(metadata) === id);
    if (found?.ts !== undefined) return { found: 'yes', ts: found.ts };
    cursor = page.response_metadata?.next_cursor;
  } while (cursor);
  return { found: 'no' };
}

type Posted = NonNullable<ConversationsHistoryResponse['messages']>[number];

function deliveryIdOf(metadata: Posted['metadata']): unknown {
  const payload = metadata?.event_type === EVENT_TYPE ? metadata.event_payload : undefined;
  return payload !== undefined && 'delivery_id' in payload ? payload.delivery_id : null;
}
