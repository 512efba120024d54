import type { KnownBlock } from '@slack/types';
import type {
  FoundIntegration,
  IntegrationEnvironment,
  IntegrationsFound,
} from '../../domain/lookups/integrations-found.ts';
import { badge } from '../blocks/badge.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { firstOf } from '../blocks/first-of.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { incidentMention } from '../blocks/incident/incident-mention.ts';
import { countWords, listMessage, ROWS_LOADED } from '../blocks/list.ts';
import { canShare, type Reader, sharedLine } from '../blocks/reader.ts';
import { code, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { onlyWords } from '../blocks/words/only-words.ts';
import { type IntegrationsRequest, listButtons } from './buttons-message.ts';
import { integrationCells } from './row-message.ts';

export function integrationsMessage(
  found: IntegrationsFound,
  request: IntegrationsRequest,
  reader: Reader,
): MessageContent {
  const { items } = found;
  const namesHomes = request.scope === 'all' || !found.isOwnKnown;
  return listMessage({
    caption: (shown) => captionOf(found, shown),
    columns: ['Integration', 'Channel', 'Provider', 'Identifier', 'State', ...(namesHomes ? ['Environment'] : [])],
    rows: items.slice(0, ROWS_LOADED).map((item) => ({
      cells: [...integrationCells(item), ...(namesHomes ? [homeWords(item.home)] : [])],
    })),
    notes: notes(found, request),
    buttons: () => (reader.is === 'channel' ? [] : listButtons(found, request, canShare(reader))),
    foot: [...incidents(items), ...sharedLine(reader)],
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

function notes(found: IntegrationsFound, { scope }: IntegrationsRequest): Markup[] {
  const { filter, unreadable, elsewhere } = found;
  const only = [...onlyWords('channel', filter.channels.map(channelName)), ...onlyWords('provider', filter.providers)];
  const homes = elsewhere.map(({ home, count }) => mrkdwn`${count} in ${homeWords(home)}`);
  return [
    ...(only.length === 0 ? [] : [mrkdwn`Only ${joined(only, ', ')}`]),
    ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ...warnings(found),
    ...(scope === 'all' || homes.length === 0
      ? []
      : [mrkdwn`The same organization has ${joined(firstOf(homes, MOST_HOMES), ', ')}`]),
  ];
}

const MOST_HOMES = 5;

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
  const open = new Map(items.flatMap(({ lately }) => (lately?.incidents ?? []).map((one) => [one.episodeId, one])));
  return [...open.values()].slice(0, MOST_INCIDENTS).map((now) => incidentMention(now, mrkdwn`Incident`));
}

function homeWords(home: IntegrationEnvironment): Markup {
  return home.is === 'known' ? named(home.label) : mrkdwn`environment ${code(home.serviceEnvironmentId)}`;
}
