import { sentenceIn } from '../../../judging/cause.ts';
import type { Environment } from '../../../lib/environment.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { datedAhead } from '../../../lib/time/service-clock.ts';
import { type ListedMessage, listMessages } from '../../../lookups/messages.ts';
import { parseChannel } from '../../../service/channels.ts';
import type { Message } from '../../../service/lists.ts';
import { type MessageQuery, type Page, typedContextKey } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { cursorNumber, lookUpText } from '../../kit/buttons.ts';
import { CASE_MATTERS, ignoredFilters, typedFilterWords } from '../../kit/filter-words.ts';
import { commandList, type ListRow } from '../../kit/list.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { OUTCOME_EMOJI } from '../../kit/outcomes.ts';
import { badge, code, cut, joined, type Line, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { aheadNote, time, timeNear } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';

/** The size of a page of the service's list. A cursor of ours is a place in the whole list. */
const MESSAGES_READ = 100;

const EMOJI = new Map(Object.entries({ sent: '✅', error: '🔴', warning: '⚠️' }));

const LONGEST_REASON = 60;

export function messagesCommand(ctx: SlackCtx): Command {
  return {
    word: 'messages',
    purpose: 'lookup',
    usage: '[filters]',
    about: 'what was sent on each channel, and its status',
    examples: ['subscriber:user-0042 channel:email', 'tx:txn_8f2c91', 'context:tenant:acme'],
    for: 'everyone',
    filters: ['channel', 'subscriber', 'tx', 'context', 'env'],
    follows: 'filters',
    answer: (line) => messagesAnswer(ctx, line),
  };
}

export async function messagesAnswer({ db, serviceOf, now }: SlackCtx, line: CommandLine): Promise<MessageContent> {
  const page = Math.floor((cursorNumber(line.page) ?? 0) / MESSAGES_READ);
  const { name } = line.environment;
  const query = { ...messageQuery(line), page, limit: MESSAGES_READ };
  const messages = await listMessages(db, name, serviceOf(name), query);
  if (messages === null) return noSubscriber(line.environment, mrkdwn`messages of ${code(query.subscriberId ?? '')}`);
  return messagesMessage(line, messages, datedAhead(messages.items.flatMap(timesOf), now()));
}

export function messageQuery({ filters }: CommandLine): Omit<MessageQuery, 'page' | 'limit'> {
  const channel = onlyValue('channel', filters);
  const subscriberId = onlyValue('subscriber', filters);
  refuseMasked(subscriberId ?? '');
  return {
    channel: channel && parseChannel(channel),
    subscriberId,
    transactionIds: filters.tx ?? [],
    contextKeys: (filters.context ?? []).map(typedContextKey),
  };
}

export function messagesMessage(
  { environment, filters, page }: CommandLine,
  { items, unreadable, misfits, totalCount = null, hasMore }: Page<ListedMessage>,
  aheadMs: number | null,
): MessageContent {
  const offset = cursorNumber(page) ?? 0;
  const inPage = offset % MESSAGES_READ;
  const rest = items.slice(inPage);
  const following = hasMore ? `${offset - inPage + MESSAGES_READ}` : null;
  return commandList({
    text: commandText(['messages'], { ...filters, env: [environment.name] }),
    page,
    title: badge(environment),
    notes: [...typedFilterWords(filters), ignoredFilters(misfits), aheadNote(aheadMs)],
    noun: 'message',
    total: totalCount,
    columns: ['Outcome', 'Subscriber', 'When', 'Workflow'],
    rows: rest.map((item) => messageRow(item, environment.name)),
    unreadable: unreadable.length,
    nextCursor: (shown) => (shown < rest.length ? `${offset + shown}` : following),
  });
}

const timesOf = ({ createdAt, deliveredAt, lastSeenDate, lastReadDate }: Message) => [
  ...[createdAt, lastSeenDate, lastReadDate],
  ...deliveredAt,
];

/** `what` is like 'events of •••58'. The service shows subscribers only in what they got. */
export function noSubscriber(environment: Environment, what: Markup, search: Line = null): MessageContent {
  const none = joined([mrkdwn`No ${what} in ${badge(environment)}`, search]);
  const next = mrkdwn`Try the subscriber's ID, an email address or a transaction ID. ${CASE_MATTERS}`;
  return asMessage([mrkdwn`${none}; a subscriber who got none lately isn't found.`, next]);
}

function messageRow(message: ListedMessage, environment: string): ListRow {
  const { workflow, transactionId, eventId, createdAt } = message;
  const { subscriberId = '', isDeleted = false } = message.subscriber ?? {};
  const subscriber = `${subscriberId}${isDeleted ? ' (deleted)' : ''}`;
  return {
    cells: [
      messageOutcome(message),
      joined([subscriber, ...messageDelivery(message)]),
      time(createdAt),
      joined([workflow ?? 'unknown workflow', transactionId]),
    ],
    lookUp: [`${transactionId} ${subscriber}`, lookUpText({ environment, target: { kind: 'event', id: eventId } })],
  };
}

/** '🔴 Email · SendGrid: Mailbox full (552)' */
export function messageOutcome(message: ListedMessage): string {
  const { channel, provider, status, errorId, errorText, aftermath } = message;
  const place = channelVia(channel, provider);
  if (aftermath !== undefined) {
    const { verdict, cause } = aftermath;
    return `${OUTCOME_EMOJI[verdict]} ${place}: ${cut(`${verdict}: ${cause}`, LONGEST_REASON)}`;
  }
  const reason = (errorText === null ? '' : sentenceIn(errorText)) || (errorId ?? status);
  return `${EMOJI.get(status) ?? '•'} ${place}: ${cut(reason, LONGEST_REASON)}`;
}

export function messageDelivery({ maskedEmail, maskedPhone, devices, hasWebhook, ...message }: Message): Line[] {
  const { channel, status, deliveredAt, seen, lastSeenDate, read, lastReadDate, createdAt } = message;
  const when = (at: Date | null) => (at === null ? '' : mrkdwn` ${timeNear(at, createdAt, 'seconds')}`);
  return [
    maskedEmail && mrkdwn`to ${maskedEmail}`,
    maskedPhone && mrkdwn`to ${maskedPhone}`,
    devices > 0 && mrkdwn`to ${plural(devices, 'device')}`,
    hasWebhook && 'to a webhook of their own',
    deliveredAt.length > 0 && mrkdwn`delivered${when(deliveredAt.at(-1) ?? null)}`,
    seen && mrkdwn`seen${when(lastSeenDate)}`,
    read && mrkdwn`read${when(lastReadDate)}`,
    // Only in-app messages reliably report being seen.
    channel === 'in_app' && status === 'sent' && !seen && !read && 'not seen yet',
  ];
}
