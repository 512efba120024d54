import type { KnownBlock } from '@slack/types';
import { commandText } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import {
  type FoundIntegration,
  type IntegrationsFound,
  isFailing,
  listIntegrations,
  type ProviderNow,
} from '../../../lookups/integrations.ts';
import type { Integration } from '../../../service/integration.ts';
import { channelAsMeant } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Cell } from '../../kit/data-table.ts';
import { incidentMention } from '../../kit/incident/incident-row.ts';
import { channelName, providerName } from '../../kit/incident/names.ts';
import { commandList, ROWS_LOADED } from '../../kit/list.ts';
import {
  badge,
  code,
  FEWEST_FOR_PERCENT,
  firstOf,
  joined,
  type Line,
  type Markup,
  mrkdwn,
  percent,
  plural,
} from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { onlyWords } from '../../kit/words/filter-words.ts';
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
      const filter = { channels: (filters.channel ?? []).map(channelAsMeant), providers: filters.provider ?? [] };
      await reply.show(integrationsMessage(line, await listIntegrations({ ...ctx, environment }, filter)));
    },
  };
}

export function integrationsMessage(
  { environment, filters, page }: CommandLine,
  found: IntegrationsFound,
): MessageContent {
  const { filter, items, unreadable, channels } = found;
  const only = [...onlyWords('channel', filter.channels.map(channelName)), ...onlyWords('provider', filter.providers)];
  return commandList({
    text: commandText(['integrations'], { ...filters, env: [environment.name] }),
    page,
    title: badge(environment),
    noun: 'integration',
    total: items.length,
    columns: ['Integration', 'Channel', 'Provider', 'Identifier', 'State'],
    rows: items.slice(0, ROWS_LOADED).map((item) => ({ cells: cellsOf(item) })),
    notes: [
      only.length > 0 && mrkdwn`Only ${joined(only, ', ')}`,
      items.length === 0 &&
        channels.length > 0 &&
        mrkdwn`There are some for ${joined(channels.map(channelName), ', ')}`,
      ...warnings(found),
    ],
    unreadable,
    next: () => null,
    isShareable: true,
    foot: incidents(items),
  });
}

function warnings({ items, inactiveChannels, isOwnKnown, environment, unreadable }: IntegrationsFound): Line[] {
  const inactive = (channel: string) =>
    unreadable === 0
      ? mrkdwn`⚠️ No active ${channelName(channel)} integration: nothing is sent by ${channelName(channel)}`
      : mrkdwn`⚠️ No readable ${channelName(channel)} integration is active`;
  return [
    ...inactiveChannels.map(inactive),
    !isOwnKnown &&
      items.length > 0 &&
      mrkdwn`⚠️ Which of them belong to ${badge(environment)} is unknown: none of its events could be read`,
  ];
}

const MOST_INCIDENTS = 10;

function incidents(items: readonly FoundIntegration[]): KnownBlock[] {
  const open = new Map(items.flatMap(({ lately }) => lately?.incidents ?? []).map((now) => [now.id, now]));
  return [...open.values()].slice(0, MOST_INCIDENTS).map((now) => incidentMention(now, mrkdwn`Incident`));
}

const LONGEST_NAME = 40;
const MOST_FIELDS = 3;

function cellsOf(integration: FoundIntegration): Cell[] {
  const { name, channel, provider, identifier, primary } = integration;
  const facts = [
    mrkdwn`${emoji(integration)} ${state(integration)}`,
    integration.lately !== null && latelyWords(integration.lately),
    primary && mrkdwn`primary`,
    conditions(integration),
    inboundWebhook(integration),
  ];
  return [maskedId(name), channelName(channel), providerName(provider), maskedId(identifier), joined(facts, ' · ')];
}

function emoji(integration: FoundIntegration): string {
  if (integration.lately !== null && isFailing(integration.lately)) return '⚠️';
  if (integration.deleted) return '🗑️';
  return integration.active ? '✅' : '⏸️';
}

function state({ deleted, deletedAt, active }: Integration): Markup {
  if (!deleted) return active ? mrkdwn`active` : mrkdwn`inactive`;
  return deletedAt === null ? mrkdwn`deleted` : mrkdwn`deleted ${time(deletedAt, 'day')}`;
}

function latelyWords({ failures, attempts, window }: ProviderNow): Markup {
  const share = attempts < FEWEST_FOR_PERCENT ? `${failures}` : percent(failures, attempts);
  return mrkdwn`${share} of the last ${plural(attempts, 'attempt')} failed (5 min to ${time(window.to, 'minute')})`;
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
