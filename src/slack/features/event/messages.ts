import { z } from 'zod';
import { sentenceIn } from '../../../failures/cause.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { onlyValue } from '../../../lib/input/filters.ts';
import {
  type FoundMessages,
  type FoundNoSubscriber,
  listMessages,
  type MessageFilter,
  type MessagesFound,
} from '../../../lookups/lists.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import type { Message } from '../../../service/message.ts';
import { knownChannel, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, type MessageContent, option, whatNext } from '../../kit/blocks.ts';
import { Count, refuseTooLong, valueParser, writeValue } from '../../kit/button-value.ts';
import { LOOK_UP, loadMoreButton, writeLookup } from '../../kit/buttons.ts';
import { personal } from '../../kit/for-everyone.ts';
import { channelName, channelVia } from '../../kit/incident/names.ts';
import { countWords, type ListRow, listMessage } from '../../kit/list.ts';
import { badge, code, cut, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { messageStatusWords, statusEmoji, whereTo } from '../../kit/words/message-words.ts';
import { onlyWords } from '../../kit/words/only-words.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';

export function messagesFlow(ctx: SlackCtx): Flow {
  const messageOf = async ({ environment: name, filter, offset }: MessagesRequest) => {
    const environment = environmentNamed(name, ctx.environments);
    return messagesMessage(await listMessages(filter, offset, environment, ctx.serviceOf(name)));
  };
  const messages: Command = {
    word: 'messages',
    usage: '[filters]',
    about: 'what was sent on each channel, and its status',
    examples: ['subscriber:user-0042 channel:email', 'tx:txn_8f2c91', 'context:tenant:acme'],
    for: 'everyone',
    filters: ['channel', 'subscriber', 'tx', 'context', 'env'],
    follows: 'filters',
    answer: async (line, { reply }) => {
      await reply.show(await messageOf(parseMessagesRequest(line)));
    },
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE], parseRequest, messageOf),
    ...shareRoutes(ctx, SHARE, parseRequest, messageOf),
  ]);
  return { commands: [messages], routes };
}

/** `offset` is counted from 0. */
export interface MessagesRequest {
  readonly environment: string;
  readonly filter: MessageFilter;
  readonly offset: number;
}

/**
 * All messages by default. Throws `InputError` for a filter that can't be applied, and for more values than a button
 * can hold.
 */
export function parseMessagesRequest({ filters, environment }: CommandLine): MessagesRequest {
  const channel = onlyValue('channel', filters);
  const subscriber = onlyValue('subscriber', filters);
  refuseMasked(subscriber ?? '');
  const filter = {
    channel: channel === undefined ? null : knownChannel(channel),
    subscriberId: subscriber ?? null,
    transactionIds: filters.tx ?? [],
    contextKeys: (filters.context ?? []).map(typedContextKey),
  };
  const request = { environment: environment.name, filter, offset: 0 };
  refuseTooLong(writeRequest({ ...request, offset: 999_999_999 }), '/notif messages tx:txn_8f2c91');
  return request;
}

/** The prefix of each entry of a list in a button's value. */
const TRANSACTION = 't';
const CONTEXT = 'c';

export function writeRequest({ environment, filter, offset }: MessagesRequest): string {
  const { channel, subscriberId, transactionIds, contextKeys } = filter;
  const lists = [...transactionIds.map((id) => TRANSACTION + id), ...contextKeys.map((key) => CONTEXT + key)];
  return writeValue([environment, String(offset), channel ?? '', subscriberId ?? '', ...lists]);
}

export const parseRequest = valueParser<MessagesRequest | null>(
  z.tuple([z.string(), Count, z.string(), z.string()], z.string()).transform((parts) => {
    const [environment, offset, channel, subscriberId, ...lists] = parts;
    const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
    const [transactionIds, contextKeys] = [listed(TRANSACTION), listed(CONTEXT)];
    if (transactionIds.length + contextKeys.length < lists.length) return null;
    const filter = { channel: channel || null, subscriberId: subscriberId || null, transactionIds, contextKeys };
    return { environment, filter, offset };
  }),
);

export const MORE = 'messages.more';
const SHARE = 'share.messages';

export function messagesMessage(found: MessagesFound): MessageContent {
  return found.found === 'messages' ? listOf(found) : noSubscriberMessage(found);
}

function listOf(found: FoundMessages): MessageContent {
  const { environment, filter, offset, items, unreadable, next } = found;
  const only = filterWords(filter);
  // A subscriber that the list is about would only be repeated in each row.
  const whom = filter.subscriberId === null || items.some((item) => item.isSubscriberDeleted);
  const ask = (from: number) => writeRequest({ environment: environment.name, filter, offset: from });
  return listMessage({
    caption: (shown) => mrkdwn`${badge(environment)} · ${countOf(found, shown)}`,
    columns: messageColumns(whom),
    rows: items.map((item) => messageRow(item, environment.name, whom)),
    notes: [...(only === null ? [] : [only]), ...(unreadable > 0 ? [mrkdwn`${unreadable} unreadable`] : [])],
    lookUp: LOOK_UP,
    buttons: (shown) => {
      const after = shown < items.length ? offset + shown : next;
      const more = loadMoreButton(MORE, after === null ? null : ask(after));
      return [...more, ...(shown > 0 ? [button('Share', SHARE, ask(offset))] : [])].map(personal);
    },
  });
}

function countOf({ items, offset, totalCount, next, unreadable }: FoundMessages, shown: number): Markup {
  if (items.length + unreadable === 0) return offset === 0 ? mrkdwn`no messages` : mrkdwn`no more messages`;
  const isAll = next === null && shown === items.length;
  const total = totalCount ?? (isAll ? offset + shown : 'more');
  return countWords('message', { before: offset, shown, total });
}

function filterWords({ channel, subscriberId, transactionIds, contextKeys }: MessageFilter): Markup | null {
  const parts = [
    ...onlyWords('channel', channel === null ? [] : [channelName(channel)]),
    ...onlyWords('subscriber', subscriberId === null ? [] : [subscriberId]),
    ...onlyWords('transaction', transactionIds),
    ...(contextKeys.length === 0
      ? []
      : [
          mrkdwn`exactly the contexts ${joined(
            contextKeys.map((key) => code(key)),
            ', ',
          )}`,
        ]),
  ];
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}

function noSubscriberMessage({ environment, filter }: FoundNoSubscriber): MessageContent {
  const what = mrkdwn`${badge(environment)} knows no subscriber ${code(filter.subscriberId ?? '')}.`;
  return whatNext(
    what,
    mrkdwn`Use the ID that triggers use. Upper and lower case matter, and so does ${code('env:')}.`,
  );
}

/** In characters. The event's card shows the whole error. */
const LONGEST_REASON = 60;

/** `whom`: whether the subscriber is one of them. */
function messageColumns(whom: boolean): string[] {
  return ['Transaction', 'Outcome', 'When', 'Workflow', ...(whom ? ['Subscriber'] : []), 'Delivery'];
}

function messageRow(message: Message, environment: string, whom: boolean): ListRow {
  const { channel, provider, workflow, subscriberId, isSubscriberDeleted, transactionId, eventId } = message;
  const subscriber = subscriberId === null ? '' : `${subscriberId}${isSubscriberDeleted ? ' (deleted)' : ''}`;
  return {
    cells: [
      transactionId,
      `${statusEmoji(message)} ${channelVia(channel, provider)}: ${cut(reason(message), LONGEST_REASON)}`,
      time(message.createdAt, 'day'),
      workflow ?? 'deleted workflow',
      ...(whom ? [subscriber] : []),
      joined([...whereTo(message), ...messageStatusWords(message), ...unseen(message)], ' · '),
    ],
    choice: option(
      `${statusEmoji(message)} ${transactionId}`,
      writeLookup({ environment, target: { kind: 'event', id: eventId } }),
    ),
  };
}

function reason({ status, errorId, errorText }: Message): string {
  return (errorText === null ? '' : sentenceIn(errorText)) || (errorId ?? status);
}

/** The service knows that reliably only for in-app messages. */
function unseen({ channel, status, seen, read }: Message): Markup[] {
  return channel === 'in_app' && status === 'sent' && !seen && !read ? [mrkdwn`not seen yet`] : [];
}
