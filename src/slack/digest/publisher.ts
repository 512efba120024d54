import { createHash } from 'node:crypto';
import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import type { DigestContent } from '../../domain/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import type { DigestPublisher, Finding, PostOutcome } from '../../use-cases/deliver-digests.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { deliveryMessage } from './delivery-message.ts';
import { editFailure, findFailure, isAboutBlocks, postFailure } from './slack-outcome.ts';

export interface PublisherParts {
  /** For edits and look-ups, which may be repeated. */
  readonly client: WebClient;
  /** One try a call: a repeated post would be a second message. */
  readonly deliveryClient: WebClient;
  readonly environments: readonly Environment[];
  readonly logger: Logger;
}

/** By this a digest is found again in its channel: `event_payload` is `{delivery_id}`. */
const EVENT_TYPE = 'notif_delivery';

/** A fingerprint that begins so belongs to a message which says that it may be a repeat, and goes on saying it when it is edited. */
const REPEAT_MARK = 'repeat:';

/** How far our clock may be ahead of Slack's when a lost post is looked for. */
const CLOCK_TOLERANCE_MS = 60_000;
const MESSAGES_A_PAGE = 200;

/** Posts, edits and finds digests in their channels. Its outcomes are Slack's answers in words; it rejects with what is not about Slack. */
export function createDigestPublisher(parts: PublisherParts): DigestPublisher {
  const drawn = (content: DigestContent, possibleRepeat: boolean, isNew: boolean) =>
    deliveryMessage(content, { environments: parts.environments, possibleRepeat, isNew });
  return {
    post: async (content, { possibleRepeat }) => {
      const message = drawn(content, possibleRepeat, true);
      const posted = await postOrWords(content, message, parts);
      return typeof posted === 'string'
        ? { outcome: 'posted', ts: posted, fingerprint: fingerprint(message, possibleRepeat) }
        : posted;
    },
    edit: async (content, posted) => {
      const possibleRepeat = posted.fingerprint.startsWith(REPEAT_MARK);
      const message = drawn(content, possibleRepeat, false);
      const now = fingerprint(message, possibleRepeat);
      if (now === posted.fingerprint) return { outcome: 'unchanged', fingerprint: now };
      try {
        await parts.client.chat.update({
          channel: posted.channel,
          ts: posted.ts,
          text: message.text,
          blocks: [...message.blocks],
        });
        return { outcome: 'edited', fingerprint: now };
      } catch (error) {
        return editFailure(error);
      }
    },
    find: (digestId, channel, since) => find(digestId, channel, since, parts.client),
  };
}

/** The message's ts, or what became of the post. Blocks that Slack refuses are left out: words are better than nothing. */
async function postOrWords(
  content: DigestContent,
  message: MessageContent,
  { deliveryClient, logger }: PublisherParts,
): Promise<string | Exclude<PostOutcome, { outcome: 'posted' }>> {
  try {
    return await post(content, message, deliveryClient);
  } catch (error) {
    if (!isAboutBlocks(error)) return postFailure(error);
    logger.error({ digestId: content.id, err: error }, 'Slack refused the blocks of a digest, posting its words alone');
  }
  try {
    return await post(content, { text: message.text, blocks: [] }, deliveryClient);
  } catch (error) {
    return postFailure(error);
  }
}

async function post(
  { id, channel }: DigestContent,
  { text, blocks }: MessageContent,
  client: WebClient,
): Promise<string> {
  const answer = await client.chat.postMessage({
    channel,
    text,
    ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
    metadata: { event_type: EVENT_TYPE, event_payload: { delivery_id: id } },
    unfurl_links: false,
    unfurl_media: false,
  });
  return answer.ts ?? '';
}

async function find(digestId: string, channel: string, since: Date, client: WebClient): Promise<Finding> {
  const oldest = String((since.getTime() - CLOCK_TOLERANCE_MS) / 1000);
  let cursor = '';
  try {
    do {
      const page = await client.conversations.history({
        channel,
        oldest,
        include_all_metadata: true,
        limit: MESSAGES_A_PAGE,
        ...(cursor === '' ? {} : { cursor }),
      });
      const ts = tsOf(digestId, page.messages ?? []);
      if (ts !== null) return { found: 'yes', ts };
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor !== '');
    return { found: 'no' };
  } catch (error) {
    return findFailure(error);
  }
}

function tsOf(digestId: string, messages: NonNullable<ConversationsHistoryResponse['messages']>): string | null {
  const found = messages.find(
    ({ metadata }) => metadata?.event_type === EVENT_TYPE && deliveryIdOf(metadata.event_payload) === digestId,
  );
  return found?.ts ?? null;
}

function deliveryIdOf(payload: object | undefined): unknown {
  return payload !== undefined && 'delivery_id' in payload ? payload.delivery_id : null;
}

function fingerprint(message: MessageContent, possibleRepeat: boolean): string {
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32);
  return possibleRepeat ? `${REPEAT_MARK}${hash}` : hash;
}
