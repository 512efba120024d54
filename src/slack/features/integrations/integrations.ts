import { max, subDays } from 'date-fns';
import { changesSince } from '../../../changes/changes.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { type IntegrationsFound, isSending, listIntegrations } from '../../../lookups/integrations.ts';
import { channelKey, channelName } from '../../../service/channels.ts';
import type { Integration } from '../../../service/lists.ts';
import type { SlackCtx } from '../../ctx.ts';
import { changedWhen, changedWords } from '../../incident-view/changed-words.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import { commandList } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { providerName } from '../../kit/names.ts';
import { badge, joined, type Line, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';

export function integrationsCommand(ctx: SlackCtx): Command {
  return {
    word: 'integrations',
    purpose: 'lookup',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: ['channel', 'provider', 'env'],
    follows: 'filters',
    answer: async (line) => {
      const { channel = [], provider: providers = [] } = line.filters;
      const { name } = line.environment;
      const filter = { channels: channel.map(channelKey), providers };
      const integrations = await listIntegrations(ctx.serviceOf(name), filter);
      return integrationsMessage(line, integrations, await changeLine(ctx, name, integrations.items));
    },
  };
}

/** The last change of the integrations listed, as far back as changes are kept, or that there was none. */
async function changeLine(
  { db, now, retentionDays }: SlackCtx,
  environment: string,
  items: readonly Integration[],
): Promise<Line> {
  const query = { since: subDays(now(), retentionDays), environments: [environment], olderThan: null, limit: 100 };
  const { items: changes, hasOlder, snapshots } = await changesSince(db, query);
  const last = changes.find(
    ({ what }) =>
      what.kind === 'integration' &&
      items.some(({ channel, provider }) => channel === what.channel && provider === what.provider),
  );
  if (last !== undefined) return mrkdwn`Last change noticed: ${changedWords(last.what)} · ${changedWhen(last)}`;
  const since = snapshots.get(environment)?.since;
  if (!since || hasOlder) return null;
  return mrkdwn`No change noticed since ${time(max([since, query.since]))}`;
}

export function integrationsMessage(
  { environment, filters }: CommandLine,
  { items, isEnvironmentKnown, inactiveChannels, unreadable }: IntegrationsFound,
  lastChange: Line = null,
): MessageContent {
  return commandList({
    text: commandText(['integrations'], { ...filters, env: [environment.name] }),
    title: badge(environment),
    noun: 'integration',
    total: items.length,
    columns: ['Integration', 'State', 'Channel', 'Provider', 'Identifier'],
    rows: items.map((integration) => ({ cells: cellsOf(integration) })),
    notes: [
      ...typedFilterWords(filters),
      lastChange,
      ...inactiveChannels
        .map(channelName)
        .map((channel) => mrkdwn`⚠️ No active ${channel} integration: nothing is sent by ${channel}`),
      !isEnvironmentKnown &&
        items.length > 0 &&
        mrkdwn`⚠️ Which of them belong to ${badge(environment)} is unknown: it has no events`,
    ],
    unreadable,
  });
}

function cellsOf(integration: Integration) {
  const { name, channel, provider, identifier, primary, hasConditions, inboundWebhook } = integration;
  const hasNoWebhook = channel === 'email' && isSending(integration) && !inboundWebhook;
  const facts = [
    stateWords(integration),
    primary && 'primary',
    hasConditions && 'only under conditions',
    hasNoWebhook && '🟡 no inbound webhook: its bounces may never arrive',
  ];
  return [maskedId(name), joined(facts), channelName(channel), providerName(provider), maskedId(identifier)];
}

function stateWords({ deleted, deletedAt, active }: Integration) {
  if (!deleted) return active ? '✅ active' : '⏸️ inactive';
  return joined(['🗑️ deleted', deletedAt && time(deletedAt)], ' ');
}
