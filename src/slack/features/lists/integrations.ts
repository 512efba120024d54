import type { KnownBlock } from '@slack/types';
import { environmentNamed } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import {
  type FoundIntegration,
  type IntegrationFilter,
  type IntegrationsFound,
  isFailing,
  listIntegrations,
  type ProviderNow,
} from '../../../lookups/integrations.ts';
import type { Integration } from '../../../service/integration.ts';
import { channelAsMeant } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { button, type MessageContent } from '../../kit/blocks.ts';
import { parseValue, refuseTooLong, writeValue } from '../../kit/button-value.ts';
import type { Cell } from '../../kit/data-table.ts';
import { personal } from '../../kit/for-everyone.ts';
import { incidentMention } from '../../kit/incident/incident-row.ts';
import { FEWEST_FOR_PERCENT, percent } from '../../kit/incident/kind-words.ts';
import { channelName, providerName } from '../../kit/incident/names.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { onlyWords } from '../../kit/words/only-words.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';

export function integrationsFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: IntegrationsRequest) => {
    const environment = environmentNamed(request.environment, ctx.environments);
    return integrationsMessage(await listIntegrations({ ...ctx, environment }, request.filter));
  };
  const integrations: Command = {
    word: 'integrations',
    usage: '[filters]',
    about: 'the providers of each channel: which are active, which is the primary one',
    examples: ['', 'channel:email'],
    for: 'everyone',
    filters: ['channel', 'provider', 'env'],
    follows: 'filters',
    answer: async (line, { reply }) => {
      await reply.show(await messageOf(parseIntegrationsRequest(line)));
    },
  };
  const routes = routesFor('everyone', shareRoutes(ctx, SHARE, parseRequest, messageOf));
  return { commands: [integrations], routes };
}

export interface IntegrationsRequest {
  readonly environment: string;
  readonly filter: IntegrationFilter;
}

/**
 * Everything in the environment by default. Throws `InputError` for a filter that can't be applied, and for more values
 * than a button can hold.
 */
export function parseIntegrationsRequest({ filters, environment }: CommandLine): IntegrationsRequest {
  const filter = { channels: (filters.channel ?? []).map(channelAsMeant), providers: filters.provider ?? [] };
  const request = { environment: environment.name, filter };
  refuseTooLong(writeRequest(request), '/notif integrations channel:email');
  return request;
}

/** The prefix of each entry of a list in a button's value. */
const CHANNEL = 'c';
const PROVIDER = 'p';

export function writeRequest({ environment, filter }: IntegrationsRequest): string {
  const lists = [...filter.channels.map((name) => CHANNEL + name), ...filter.providers.map((name) => PROVIDER + name)];
  return writeValue([environment, ...lists]);
}

export function parseRequest(value: string): IntegrationsRequest | null {
  const [environment, ...lists] = parseValue(value) ?? [];
  if (environment === undefined) return null;
  const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
  const filter = { channels: listed(CHANNEL), providers: listed(PROVIDER) };
  return filter.channels.length + filter.providers.length < lists.length ? null : { environment, filter };
}

const SHARE = 'share.integrations';

export function integrationsMessage(found: IntegrationsFound): MessageContent {
  const { environment, filter, items } = found;
  const share = writeRequest({ environment: environment.name, filter });
  return listMessage({
    caption: (shown) => captionOf(found, shown),
    columns: ['Integration', 'Channel', 'Provider', 'Identifier', 'State'],
    rows: items.slice(0, ROWS_LOADED).map((item) => ({ cells: cellsOf(item) })),
    notes: notes(found),
    buttons: () => (items.length > 0 ? [personal(button('Share', SHARE, share))] : []),
    foot: incidents(items),
  });
}

function captionOf({ environment, items, isOwnKnown, channels, filter }: IntegrationsFound, shown: number): Markup {
  if (items.length > 0) {
    const count = countWords('integration', { before: 0, shown, total: items.length });
    return mrkdwn`${badge(environment)} · ${count}${isOwnKnown ? '' : ' of the organization'}`;
  }
  const there =
    channels.length === 0 ? mrkdwn`` : mrkdwn`; there are some for ${joined(channels.map(channelName), ', ')}`;
  const isAll = filter.channels.length + filter.providers.length === 0;
  return mrkdwn`${badge(environment)} · no integrations${isAll ? '' : ' of this kind'}${there}`;
}

function notes(found: IntegrationsFound): Markup[] {
  const { filter, unreadable } = found;
  const only = [...onlyWords('channel', filter.channels.map(channelName)), ...onlyWords('provider', filter.providers)];
  return [
    ...(only.length === 0 ? [] : [mrkdwn`Only ${joined(only, ', ')}`]),
    ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ...warnings(found),
  ];
}

function warnings({ items, inactiveChannels, isOwnKnown, environment, unreadable }: IntegrationsFound): Markup[] {
  const inactive = (channel: string) =>
    unreadable === 0
      ? mrkdwn`⚠️ No active ${channelName(channel)} integration: nothing is sent by ${channelName(channel)}`
      : mrkdwn`⚠️ No readable ${channelName(channel)} integration is active`;
  return [
    ...inactiveChannels.map(inactive),
    ...(isOwnKnown || items.length === 0
      ? []
      : [mrkdwn`⚠️ Which of them belong to ${badge(environment)} is unknown: none of its events could be read`]),
  ];
}

const MOST_INCIDENTS = 10;

function incidents(items: readonly FoundIntegration[]): KnownBlock[] {
  const open = new Map(
    items.flatMap(({ lately }) => (lately?.incidents ?? []).map((incident) => [incident.id, incident])),
  );
  return [...open.values()].slice(0, MOST_INCIDENTS).map((now) => incidentMention(now, mrkdwn`Incident`));
}

/** In characters. */
const LONGEST_NAME = 40;
const MOST_FIELDS = 3;

function cellsOf(integration: FoundIntegration): Cell[] {
  const { name, channel, provider, identifier, primary } = integration;
  const facts = [
    mrkdwn`${emoji(integration)} ${state(integration)}`,
    ...(integration.lately === null ? [] : [latelyWords(integration.lately)]),
    ...(primary ? [mrkdwn`primary`] : []),
    ...conditions(integration),
    ...inboundWebhook(integration),
  ];
  return [maskedId(name), channelName(channel), providerName(provider), maskedId(identifier), joined(facts, ' · ')];
}

function emoji(integration: FoundIntegration): string {
  if (integration.lately !== null && isFailing(integration.lately)) return '⚠️';
  if (integration.deleted) return '🗑️';
  return integration.active ? '✅' : '⏸️';
}

function state({ deleted, deletedAt, deletedBy, active }: Integration): Markup {
  if (!deleted) return active ? mrkdwn`active` : mrkdwn`inactive`;
  const when = deletedAt === null ? mrkdwn`` : mrkdwn` ${time(deletedAt, 'day')}`;
  return mrkdwn`deleted${when}${deletedBy === null ? mrkdwn`` : mrkdwn` by ${code(maskedId(deletedBy), LONGEST_NAME)}`}`;
}

/** A number if a percentage would be misleading. */
function latelyWords({ failures, attempts, window }: ProviderNow): Markup {
  const share = attempts < FEWEST_FOR_PERCENT ? `${failures}` : percent(failures, attempts);
  return mrkdwn`${share} of the last ${plural(attempts, 'attempt')} failed (5 min to ${time(window.to, 'minute')})`;
}

/** It's used only if they are met, which often explains why a message took another way. */
function conditions({ hasConditions, conditionFields }: Integration): Markup[] {
  if (!hasConditions) return [];
  if (conditionFields.length === 0) return [mrkdwn`only under conditions`];
  const fields = conditionFields.map((field) => code(`${field}`, LONGEST_NAME));
  return [mrkdwn`only under conditions on ${joined(firstOf(fields, MOST_FIELDS), ', ')}`];
}

/** Bounces arrive through it: without one, a bounced email counts as delivered. */
function inboundWebhook(integration: Integration): Markup[] {
  if (integration.deleted) return [];
  if (integration.inboundWebhook === true) return [mrkdwn`inbound webhook on`];
  if (integration.channel !== 'email' || !integration.active) return [];
  return [mrkdwn`🟡 no inbound webhook: its bounces may never arrive`];
}
