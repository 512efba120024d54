import { newestNames } from '../../../incidents/names.ts';
import { nearest, oneOf } from '../../../lib/closed-list.ts';
import { InputError } from '../../../lib/errors.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { datedAhead } from '../../../lib/time/service-clock.ts';
import { findMissed, type Missed } from '../../../lookups/missed.ts';
import { channelName } from '../../../service/channels.ts';
import type { TopicSubscription } from '../../../service/lists.ts';
import { type Page, PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { shareButton } from '../../kit/buttons.ts';
import { CASE_MATTERS, didYouMean, ignoredFilters, typedFilterWords } from '../../kit/filter-words.ts';
import { commandList, listMessage } from '../../kit/list.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { badge, code, joined, listed, mrkdwn, plural } from '../../kit/text.ts';
import { aheadNote, time } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';

export function topicCommand(ctx: SlackCtx): Command {
  return {
    word: 'topic',
    purpose: 'lookup',
    usage: '<key> [filters]',
    about: 'who is subscribed to a topic, or with tx: who missed a transaction',
    examples: ['news-readers', 'news-readers subscriber:user-0042', 'news-readers tx:txn_8f2c91'],
    for: 'everyone',
    filters: ['subscriber', 'sort', 'tx', 'env'],
    follows: 'argument',
    answer: async (line, { reply }) => {
      const service = ctx.serviceOf(line.environment.name);
      const { key, ...chosen } = parseTopic(line);
      const transactionId = onlyValue('tx', line.filters);
      if (transactionId !== undefined) {
        const progress = (read: number) => reply.working(mrkdwn`Checked ${read} events and subscriptions`);
        const missing = await findMissed({ ...ctx, service, progress }, key, transactionId);
        return missing === null
          ? noTopic(line, key, await similarTopic(ctx, line, key))
          : missingMessage(line, missing);
      }
      const query = { ...chosen, limit: 100, orderBy: 'createdAt', after: line.page?.cursor } as const;
      const subscriptions = await service.listTopicSubscriptions(key, query, PERSON);
      if (subscriptions === null) return noTopic(line, key, await similarTopic(ctx, line, key));
      const times = subscriptions.items.map(({ createdAt }) => createdAt);
      return topicMessage(line, subscriptions, datedAhead(times, ctx.now()));
    },
  };
}

function parseTopic({ words, filters }: CommandLine) {
  const [key, ...others] = words;
  if (key === undefined || others.length > 0)
    throw new InputError('topic', 'Which topic? Give its key, quoted if it has spaces.', '/notif topic "news readers"');
  const subscriberId = onlyValue('subscriber', filters);
  refuseMasked(subscriberId ?? '');
  const order = oneOf('sort', onlyValue('sort', filters) ?? 'newest', ['newest', 'oldest'], 'order');
  return { key, subscriberId, orderDirection: order === 'newest' ? 'DESC' : 'ASC' } as const;
}

export function topicMessage(
  { words, filters, environment, page }: CommandLine,
  { items, unreadable, misfits, next = null, totalCount = null }: Page<TopicSubscription>,
  aheadMs: number | null,
): MessageContent {
  const [key = ''] = words;
  return commandList({
    text: commandText(['topic', key], { ...filters, env: [environment.name] }),
    page,
    title: mrkdwn`${badge(environment)} · topic ${code(key)}`,
    noun: 'subscription',
    total: totalCount,
    columns: ['Subscriber', 'Contact', 'Subscribed'],
    rows: items.map((subscription) => ({ cells: subscriptionCells(subscription) })),
    notes: [
      ...typedFilterWords(filters),
      ignoredFilters(misfits),
      aheadNote(aheadMs),
      filters.subscriber !== undefined && items.length === 0 && 'Not subscribed, or unknown to the service',
    ],
    unreadable: unreadable.length,
    nextCursor: (shown) => (shown < items.length ? (items[shown - 1]?.id ?? null) : next),
  });
}

/** Who of a topic's subscribers got nothing of a transaction, or not on each channel. */
function missingMessage({ words: [key = ''], filters, environment }: CommandLine, result: Missed): MessageContent {
  const { missing, subscribed, later, deleted, unknown, events, isAll } = result;
  const env = [environment.name];
  const gotNothing = missing.filter(({ missed }) => missed === null).length;
  const missedOnOne = [...new Set(missing.flatMap(({ missed }) => missed ?? []))].map((channel) => {
    return mrkdwn`${missing.filter(({ missed }) => missed?.includes(channel)).length} ${channelName(channel)}`;
  });
  return listMessage({
    caption: (shown) =>
      joined([
        mrkdwn`${badge(environment)} · topic ${code(key)}`,
        mrkdwn`${gotNothing} of ${plural(subscribed, 'subscriber')} got nothing of ${code(filters.tx?.[0] ?? '')}`,
        missedOnOne.length > 0 && mrkdwn`others missed: ${listed(missedOnOne)}`,
        shown < missing.length && mrkdwn`first ${shown}`,
      ]),
    columns: ['Subscriber', 'Missed', 'Contact', 'Subscribed'],
    rows: missing.map((subscription) => {
      const [id, ...facts] = subscriptionCells(subscription);
      const missed = subscription.missed?.map(channelName).join(', ') ?? 'everything';
      return { cells: [id, missed, ...facts], lookUp: [id, commandText(['subscriber', id], { env })] };
    }),
    notes: [
      mrkdwn`${plural(events, 'event')} checked`,
      deleted > 0 && mrkdwn`${plural(deleted, 'deleted subscriber')} can't be told apart and aren't listed`,
      unknown > 0 && mrkdwn`⚠️ Of ${plural(unknown, 'subscriber')} the service's list doesn't show what they got`,
      later > 0 && mrkdwn`${later} subscribed after it and aren't counted`,
      !isAll && '⚠️ Not all checked: ten thousand at most, in a minute',
    ],
    buttons: () => [shareButton(commandText(['topic', key], { ...filters, env }))],
  });
}

function subscriptionCells({ subscriber, createdAt }: TopicSubscription) {
  const { subscriberId = 'deleted subscriber', initials = null, maskedEmail = null } = subscriber ?? {};
  return [subscriberId, joined([initials, maskedEmail]), time(createdAt)] as const;
}

async function similarTopic({ db }: SlackCtx, { environment }: CommandLine, key: string): Promise<string | null> {
  return nearest(key, await newestNames(db, environment.name, 'topics'));
}

export function noTopic({ environment }: CommandLine, key: string, similar: string | null): MessageContent {
  return asMessage([
    mrkdwn`${badge(environment)} has no topic ${code(key)}.${didYouMean(similar)}`,
    mrkdwn`Use the topic's key, not its name. ${CASE_MATTERS}`,
  ]);
}
