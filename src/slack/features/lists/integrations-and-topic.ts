import { oneOf } from '../../../lib/closed-list.ts';
import { InputError } from '../../../lib/errors.ts';
import { commandText, onlyValue } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { type IntegrationsFound, listIntegrations } from '../../../lookups/integrations.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { channelName, typedChannel } from '../../../service/channels.ts';
import type { Integration, SubscriptionPage, TopicSubscription } from '../../../service/lists.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { Cell } from '../../kit/data-table.ts';
import { incidentMention } from '../../kit/incident/incident-row.ts';
import { titleText } from '../../kit/incident/incident-words.ts';
import { commandList } from '../../kit/list.ts';
import { type MessageContent, whatNext } from '../../kit/message.ts';
import { badge, code, firstOf, joined, type Line, type Markup, mrkdwn, named } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { CASE_MATTERS, filterNames } from '../../kit/words/filter-words.ts';
import { providerName } from '../../kit/words/names.ts';
import type { Command, CommandLine } from '../../router/command.ts';

export function integrationsCommand(ctx: SlackCtx): Command {
  return {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: ['channel', 'provider', 'env'],
    follows: 'filters',
    answer: async (line, { reply }) => {
      const { filters, environment } = line;
      const filter = { channels: (filters.channel ?? []).map(typedChannel), providers: filters.provider ?? [] };
      const service = ctx.serviceOf(environment.name);
      await reply.show(integrationsMessage(line, await listIntegrations({ ...ctx, environment, service }, filter)));
    },
  };
}

const MOST_INCIDENTS = 10;

export function integrationsMessage(
  { environment, filters, page }: CommandLine,
  { items, incidents, isOwnKnown, inactiveChannels, unreadable }: IntegrationsFound,
): MessageContent {
  const before = page?.before ?? 0;
  const rows = items.slice(before).map((item) => ({ cells: cellsOf(item) }));
  return commandList({
    text: commandText(['integrations'], { ...filters, env: [environment.name] }),
    page,
    title: badge(environment),
    isShareable: true,
    noun: 'integration',
    total: items.length,
    columns: ['Integration', 'Channel', 'Provider', 'Identifier', 'State'],
    rows,
    notes: [
      ...filterNames(filters),
      ...inactiveChannels.map(channelName).map((channel) => {
        return mrkdwn`⚠️ No active ${channel} integration: nothing is sent by ${channel}`;
      }),
      !isOwnKnown &&
        items.length > 0 &&
        mrkdwn`⚠️ Which of them belong to ${badge(environment)} is unknown: it has no events`,
    ],
    unreadable,
    next: (shown) => (shown < rows.length ? `${before + shown}` : null),
    foot: incidents.slice(0, MOST_INCIDENTS).map((now) => incidentMention(now, 'Incident', titleText(now))),
  });
}

const LONGEST_NAME = 40;
const MOST_FIELDS = 3;

function cellsOf(integration: Integration): Cell[] {
  const { name, channel, provider, identifier, primary } = integration;
  const facts = [state(integration), primary && mrkdwn`primary`, conditions(integration), inboundWebhook(integration)];
  return [maskedId(name), channelName(channel), providerName(provider), maskedId(identifier), joined(facts, ' · ')];
}

function state({ deleted, deletedAt, active }: Integration): Markup {
  if (!deleted) return active ? mrkdwn`✅ active` : mrkdwn`⏸️ inactive`;
  return deletedAt === null ? mrkdwn`🗑️ deleted` : mrkdwn`🗑️ deleted ${time(deletedAt, 'day')}`;
}

function conditions({ hasConditions, conditionFields }: Integration): Line {
  if (!hasConditions) return null;
  if (conditionFields.length === 0) return mrkdwn`only under conditions`;
  const fields = conditionFields.map((field) => code(`${field}`, LONGEST_NAME));
  return mrkdwn`only under conditions on ${joined(firstOf(fields, MOST_FIELDS), ', ')}`;
}

/** Without one, a bounced email counts as delivered. */
function inboundWebhook({ deleted, inboundWebhook: isOn, channel, active }: Integration): Line {
  if (deleted) return null;
  if (isOn === true) return mrkdwn`inbound webhook on`;
  return channel === 'email' && active && mrkdwn`🟡 no inbound webhook: its bounces may never arrive`;
}

export function topicCommand(ctx: SlackCtx): Command {
  return {
    word: 'topic',
    usage: '<key> [filters]',
    about: 'who is subscribed to a topic',
    examples: ['news-readers', 'news-readers subscriber:user-0042', 'news-readers sort:oldest'],
    for: 'everyone',
    filters: ['subscriber', 'sort', 'env'],
    answer: async (line, { reply }) => reply.show(await topicAnswer(ctx, line)),
  };
}

async function topicAnswer(ctx: SlackCtx, line: CommandLine): Promise<MessageContent> {
  const { environment, page } = line;
  const { key, subscriber, order } = parseTopic(line);
  const query = {
    limit: SUBSCRIPTIONS_READ,
    orderBy: 'createdAt',
    orderDirection: order === 'newest' ? ('DESC' as const) : ('ASC' as const),
    ...(subscriber !== undefined && { subscriberId: subscriber }),
    ...(page !== undefined && { after: page.cursor }),
  };
  const found = await ctx.serviceOf(environment.name).listTopicSubscriptions(key, query, PERSON);
  return found === null ? noTopic(line, key) : topicMessage(line, found);
}

/** The service's limit. */
const SUBSCRIPTIONS_READ = 100;

const EXAMPLE = '/notif topic news-readers';

function parseTopic({ words, filters }: CommandLine) {
  const [key, ...others] = words;
  if (key === undefined) throw new InputError('topic', 'Which topic? Give its key.', EXAMPLE);
  if (others.length > 0)
    throw new InputError('topic', 'A topic’s key is one word.', `/notif topic "${words.join(' ')}"`);
  const subscriber = onlyValue('subscriber', filters);
  refuseMasked(subscriber ?? '');
  const order = oneOf('sort', onlyValue('sort', filters) ?? 'newest', ['newest', 'oldest'], 'order');
  return { key, subscriber, order };
}

export function topicMessage(
  { words, filters, environment, page }: CommandLine,
  { items, unreadable, next, totalCount, totalCountCapped }: SubscriptionPage,
): MessageContent {
  const [key = ''] = words;
  const name = items[0]?.topic.name ?? key;
  const called = name === key ? mrkdwn`` : mrkdwn` (${named(name)})`;
  return commandList({
    text: commandText(['topic', key], { ...filters, env: [environment.name] }),
    page,
    title: mrkdwn`${badge(environment)} · topic ${code(key)}${called}`,
    isShareable: true,
    noun: 'subscription',
    total: totalCountCapped ? null : totalCount,
    columns: ['Subscriber', 'Contact', 'Subscribed', 'Subscription'],
    rows: items.map((item) => ({ cells: subscriptionCells(item) })),
    notes: [...filterNames(filters), filters.subscriber !== undefined && items.length === 0 && NOT_SUBSCRIBED],
    unreadable: unreadable.length,
    // The service's cursors are IDs.
    next: (shown) => (shown < items.length ? (items[shown - 1]?.id ?? null) : next),
  });
}

const NOT_SUBSCRIBED = mrkdwn`Not subscribed, or unknown to the service`;

function subscriptionCells({ id, subscriber, createdAt }: TopicSubscription): Cell[] {
  const contacts = [subscriber?.initials, subscriber?.maskedEmail].filter((contact) => typeof contact === 'string');
  return [subscriber?.subscriberId ?? 'deleted subscriber', contacts.join(' · '), time(createdAt, 'day'), id];
}

export function noTopic({ environment }: CommandLine, key: string): MessageContent {
  const what = mrkdwn`${badge(environment)} has no topic ${code(key)}.`;
  return whatNext(what, mrkdwn`Use the topic's key, not its name. ${CASE_MATTERS}`);
}
