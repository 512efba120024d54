import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { ExplainCause } from '../../../causes/explain-cause.ts';
import type { EditOutcome, PostOutcome, Publisher } from '../../../digests/deliver.ts';
import type { Content } from '../../../digests/message.ts';
import { NAMES_WITHIN_MS } from '../../../digests/pace.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { forEveryone, type PublicContent } from '../../kit/for-everyone.ts';
import { sendable } from '../../kit/sendable.ts';
import { unlinked } from '../../kit/unlinked.ts';
import { type DrawingOptions, deliveryMessage } from './delivery-message.ts';
import { findMessage, metadataOf } from './message-search.ts';
import { editFailure, isAboutBlocks, postFailure } from './slack-outcome.ts';
import { peopleIn } from './thread-message.ts';

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
      const posted = await postOrWords(ctx, content, drawn(content, { possibleRepeat, names, isNew: true }));
      if (posted.outcome !== 'posted') return posted;
      const asEdited = drawn(content, { possibleRepeat, names, isNew: false });
      return { ...posted, shownHash: hashOf(asEdited, possibleRepeat) };
    },
    edit: async (content, { channel, ts, shownHash }) => {
      const possibleRepeat = (shownHash ?? '').startsWith(REPEAT_MARK);
      const names = await namesIn(content, client);
      const message = drawn(content, { possibleRepeat, names, isNew: false });
      const now = hashOf(message, possibleRepeat);
      if (now === shownHash) return { outcome: 'unchanged', shownHash: now };
      const refusal = await editOrWords(ctx, content.id, { channel, ts }, message);
      return refusal ?? { outcome: 'edited', shownHash: now };
    },
    find: (message, since) => findMessage(message, since, client),
  };
}

/** A thread names people without notifying them. */
async function namesIn(content: Content, client: WebClient): Promise<ReadonlyMap<string, string>> {
  return content.kind === 'thread' ? namesOf(peopleIn(content.event), client) : new Map();
}

/** If Slack refuses the blocks, posts only the text. */
async function postOrWords(
  ctx: PublisherCtx,
  content: Content,
  message: PublicContent,
): Promise<Posted | Exclude<PostOutcome, { outcome: 'posted' }>> {
  const fitted = sendable(message);
  try {
    return await post(ctx, content, fitted);
  } catch (error) {
    if (!isAboutBlocks(error)) return postFailure(error);
    ctx.logger.error(
      { messageId: content.id, err: error },
      'Slack refused the blocks of a message, posting its words alone',
    );
  }
  try {
    return await post(ctx, content, forEveryone({ text: unlinked(message.text), blocks: [] }));
  } catch (error) {
    return postFailure(error);
  }
}

/**
 * Null if the edit succeeded. If Slack refuses the blocks, only the text is edited, as in a post: it's still correct.
 */
async function editOrWords(
  { deliveryClient: client, logger }: PublisherCtx,
  messageId: string,
  address: { readonly channel: string; readonly ts: string },
  message: PublicContent,
): Promise<Exclude<EditOutcome, { shownHash: string }> | null> {
  const { text, blocks } = sendable(message);
  try {
    await client.chat.update({ ...address, text, blocks: [...blocks] });
    return null;
  } catch (error) {
    if (!isAboutBlocks(error)) return editFailure(error);
    logger.error({ messageId, err: error }, 'Slack refused the blocks of an edit, sending its words alone');
  }
  try {
    await client.chat.update({ ...address, text: unlinked(text), blocks: [] });
    return null;
  } catch (error) {
    return editFailure(error);
  }
}

type Posted = { readonly outcome: 'posted'; readonly ts: string };
type NoThread = Extract<PostOutcome, { outcome: 'no-thread' }>;

/**
 * Slack posts a reply whose parent was deleted as a message of its own, where nobody can see what it's about: it's
 * deleted again.
 */
async function post(
  { deliveryClient: client, logger }: PublisherCtx,
  content: Content,
  { text, blocks }: PublicContent,
): Promise<Posted | NoThread> {
  const said = {
    channel: content.channel,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
    metadata: metadataOf(content.id),
    unfurl_links: false,
    unfurl_media: false,
  };
  const answer = await client.chat.postMessage(
    content.kind === 'thread' ? { ...said, thread_ts: content.threadTs, reply_broadcast: content.isBroadcast } : said,
  );
  const { ts = '', channel = content.channel, message } = answer;
  if (content.kind !== 'thread' || message === undefined || message.thread_ts !== undefined)
    return { outcome: 'posted', ts };
  await client.chat.delete({ channel, ts }).catch((err: unknown) => {
    logger.error({ messageId: content.id, err }, 'a reply that Slack posted outside its thread could not be deleted');
  });
  return { outcome: 'no-thread', reason: 'the parent message was deleted' };
}

function hashOf(message: MessageContent, possibleRepeat: boolean): string {
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32);
  return possibleRepeat ? `${REPEAT_MARK}${hash}` : hash;
}

/** Leaves out anyone whom Slack doesn't name within two seconds. */
async function namesOf(userIds: readonly string[], client: WebClient): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(userIds.map(async (id) => [id, await nameOf(id, client)] as const));
  return new Map(named.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function nameOf(userId: string, client: WebClient): Promise<string | null> {
  const name = client.users.info({ user: userId }).then(
    ({ user }) => user?.profile?.display_name || user?.profile?.real_name || user?.name || null,
    () => null,
  );
  const controller = new AbortController();
  try {
    return await Promise.race([name, setTimeout(NAMES_WITHIN_MS, null, { signal: controller.signal, ref: false })]);
  } finally {
    controller.abort();
  }
}
