import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import type { Publisher, Search } from '../../../digests/deliver.ts';
import { findFailure } from './slack-outcome.ts';

/** `event_payload` is `{delivery_id}`. */
const EVENT_TYPE = 'notif_delivery';

/** How far Notif's clock can be ahead of Slack's when it looks for a lost post. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
const MESSAGES_A_PAGE = 200;

/** Matches a person's ID. Their direct message has a different ID, which only Slack knows. */
const PERSON = /^[UW]/;

export function metadataOf(messageId: string) {
  return { event_type: EVENT_TYPE, event_payload: { delivery_id: messageId } };
}

/** `since` is a time of Notif's clock. */
export async function findMessage(
  { id, channel: channelOrPerson, threadTs }: Parameters<Publisher['find']>[0],
  since: Date,
  client: WebClient,
): Promise<Search> {
  try {
    const channel = PERSON.test(channelOrPerson) ? await directMessage(channelOrPerson, client) : channelOrPerson;
    const oldest = String((since.getTime() - CLOCK_TOLERANCE_MS) / 1000);
    let cursor = '';
    do {
      const query = {
        channel,
        oldest,
        include_all_metadata: true,
        limit: MESSAGES_A_PAGE,
        ...(cursor === '' ? {} : { cursor }),
      };
      const page = await (threadTs === null
        ? client.conversations.history(query)
        : client.conversations.replies({ ...query, ts: threadTs }));
      const ts = tsOf(id, page.messages ?? []);
      if (ts !== null) return { found: 'yes', ts };
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor !== '');
    return { found: 'no' };
  } catch (error) {
    return findFailure(error);
  }
}

async function directMessage(person: string, client: WebClient): Promise<string> {
  const { channel } = await client.conversations.open({ users: person });
  return channel?.id ?? person;
}

type Posted = Pick<NonNullable<ConversationsHistoryResponse['messages']>[number], 'metadata' | 'ts'>;

function tsOf(messageId: string, messages: readonly Posted[]): string | null {
  const found = messages.find(
    ({ metadata }) => metadata?.event_type === EVENT_TYPE && deliveryIdOf(metadata.event_payload) === messageId,
  );
  return found?.ts ?? null;
}

function deliveryIdOf(payload: object | undefined): unknown {
  return payload !== undefined && 'delivery_id' in payload ? payload.delivery_id : null;
}
