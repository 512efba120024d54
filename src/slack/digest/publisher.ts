import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Delivery } from '../../domain/alerting/delivery.ts';
import { NAMES_WITHIN_MS } from '../../domain/alerting/pace.ts';
import type { ExplainCause } from '../../domain/causes/explain-cause.ts';
import type { Environment } from '../../domain/environment.ts';
import { peopleIn } from '../../domain/incidents/history.ts';
import type { Logger } from '../../domain/logger.ts';
import type { DeliveryPublisher, EditOutcome, PostOutcome } from '../../use-cases/alerting/deliver-messages.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { forEveryone, type PublicContent } from '../blocks/for-everyone.ts';
import { sendable } from '../blocks/sendable.ts';
import { unlinked } from '../blocks/unlinked.ts';
import { type DrawingOptions, deliveryMessage } from './delivery-message.ts';
import { findMessage, metadataOf } from './message-search.ts';
import { editFailure, isAboutBlocks, postFailure } from './slack-outcome.ts';

export interface PublisherParts {
  /** Tries each call once: a repeated post would be a second message, and the store remembers rate limits for all replicas. */
  readonly deliveryClient: WebClient;
  readonly environments: readonly Environment[];
  readonly explainCause: ExplainCause;
  readonly logger: Logger;
}

/** The fingerprint prefix of a message that is marked as a possible duplicate; edits keep the mark. */
const REPEAT_MARK = 'repeat:';

/** Outcomes describe Slack's responses; it only rejects with other errors. */
export function createPublisher(parts: PublisherParts): DeliveryPublisher {
  const { deliveryClient: client, environments, explainCause } = parts;
  const drawn = (content: Delivery, options: Omit<DrawingOptions, 'environments' | 'explainCause'>) =>
    forEveryone(deliveryMessage(content, { ...options, environments, explainCause }));
  return {
    post: async (content, { possibleRepeat }) => {
      const names = await namesIn(content, client);
      const posted = await postOrWords(content, drawn(content, { possibleRepeat, names, isNew: true }), parts);
      if (posted.outcome !== 'posted') return posted;
      const asEdited = drawn(content, { possibleRepeat, names, isNew: false });
      return { ...posted, fingerprint: fingerprint(asEdited, possibleRepeat) };
    },
    edit: async (content, { channel, ts, fingerprint: shown }) => {
      const possibleRepeat = shown.startsWith(REPEAT_MARK);
      const names = await namesIn(content, client);
      const message = drawn(content, { possibleRepeat, names, isNew: false });
      const now = fingerprint(message, possibleRepeat);
      if (now === shown) return { outcome: 'unchanged', fingerprint: now };
      const refusal = await editOrWords(content.id, { channel, ts }, message, parts);
      return refusal ?? { outcome: 'edited', fingerprint: now };
    },
    find: (message, since) => findMessage(message, since, client),
  };
}

/** A thread names people without notifying them. */
async function namesIn(content: Delivery, client: WebClient): Promise<ReadonlyMap<string, string>> {
  return content.kind === 'thread' ? namesOf(peopleIn(content.event), client) : new Map();
}

/** If Slack refuses the blocks, posts only the text. */
async function postOrWords(
  content: Delivery,
  message: PublicContent,
  parts: PublisherParts,
): Promise<Posted | Exclude<PostOutcome, { outcome: 'posted' }>> {
  const fitted = sendable(message);
  try {
    return await post(content, fitted, parts);
  } catch (error) {
    if (!isAboutBlocks(error)) return postFailure(error);
    parts.logger.error(
      { messageId: content.id, err: error },
      'Slack refused the blocks of a message, posting its words alone',
    );
  }
  try {
    return await post(content, forEveryone({ text: unlinked(message.text), blocks: [] }), parts);
  } catch (error) {
    return postFailure(error);
  }
}

/**
 * Null if the edit succeeded. If Slack refuses the blocks, only the text is edited, as in a post: it's still correct.
 */
async function editOrWords(
  messageId: string,
  address: { readonly channel: string; readonly ts: string },
  message: PublicContent,
  { deliveryClient: client, logger }: PublisherParts,
): Promise<Exclude<EditOutcome, { fingerprint: string }> | null> {
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
  content: Delivery,
  { text, blocks }: PublicContent,
  { deliveryClient: client, logger }: PublisherParts,
): Promise<Posted | NoThread> {
  const answer = await client.chat.postMessage({
    channel: content.channel,
    ...(content.kind === 'thread' ? { thread_ts: content.threadTs } : {}),
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
    metadata: metadataOf(content.id),
    unfurl_links: false,
    unfurl_media: false,
  });
  const { ts = '', channel = content.channel, message } = answer;
  if (content.kind !== 'thread' || message === undefined || message.thread_ts !== undefined)
    return { outcome: 'posted', ts };
  await client.chat.delete({ channel, ts }).catch((err: unknown) => {
    logger.error({ messageId: content.id, err }, 'a reply that Slack posted outside its thread could not be deleted');
  });
  return { outcome: 'no-thread', reason: 'the parent message was deleted' };
}

function fingerprint(message: MessageContent, possibleRepeat: boolean): string {
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32);
  return possibleRepeat ? `${REPEAT_MARK}${hash}` : hash;
}

/** Leaves out anyone whom Slack doesn't name within two seconds. */
async function namesOf(userIds: readonly string[], client: WebClient): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(userIds.map(async (id) => [id, await nameOf(id, client)] as const));
  return new Map(named.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function nameOf(userId: string, client: WebClient): Promise<string | null> {
  const asked = client.users.info({ user: userId }).then(
    ({ user }) => user?.profile?.display_name || user?.profile?.real_name || user?.name || null,
    () => null,
  );
  const controller = new AbortController();
  try {
    return await Promise.race([asked, setTimeout(NAMES_WITHIN_MS, null, { signal: controller.signal, ref: false })]);
  } finally {
    controller.abort();
  }
}
