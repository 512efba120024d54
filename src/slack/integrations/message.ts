import type { KnownBlock } from '@slack/types';
import type {
  FoundIntegration,
  IntegrationEnvironment,
  IntegrationsFound,
} from '../../domain/lookups/integrations-found.ts';
import { badge } from '../blocks/badge.ts';
import { actions, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { firstOf } from '../blocks/first-of.ts';
import { fitCount } from '../blocks/fit.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { incidentMention } from '../blocks/incident/incident-mention.ts';
import { capitalised } from '../blocks/incident/verdict-word.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { canShare, footFor, type Reader } from '../blocks/reader.ts';
import { bold, code, joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { onlyWords } from '../blocks/words/only-words.ts';
import { INTEGRATIONS_A_PAGE, type IntegrationsRequest, pageButtons } from './buttons-message.ts';
import { integrationLine } from './row-message.ts';

/** Builds a page of integrations by channel, without credentials. */
export function integrationsMessage(
  found: IntegrationsFound,
  request: IntegrationsRequest,
  reader: Reader,
): MessageContent {
  const page = found.items.slice(request.offset, request.offset + INTEGRATIONS_A_PAGE);
  const { blocks, shown } = fitCount(page.length, (count) => [
    section(headline(found)),
    ...notes(found, request.offset, count),
    ...byChannel(page.slice(0, count), request.scope === 'all' || !found.isOwnKnown),
    ...incidents(page.slice(0, count)),
    ...elsewhere(found, request),
    ...footFor(reader, actions(pageButtons(found, request, { shown: count, canShare: canShare(reader) }))),
  ]);
  const lines = [headline(found), ...warnings(found), ...page.slice(0, shown).map(integrationLine)];
  return message(mrkdwn`${joined(lines, '. ')}.`, blocks);
}

function headline({ environment, items, isOwnKnown, channels, filter }: IntegrationsFound): Markup {
  if (items.length > 0)
    return mrkdwn`${badge(environment)} · ${plural(items.length, 'integration')}${isOwnKnown ? '' : ' of the organization'}`;
  const there =
    channels.length === 0 ? mrkdwn`` : mrkdwn`; there are some for ${joined(channels.map(channelName), ', ')}`;
  const isAll = filter.channels.length + filter.providers.length === 0;
  return mrkdwn`${badge(environment)} · no integrations${isAll ? '' : ' of this kind'}${there}`;
}

function notes(found: IntegrationsFound, offset: number, shown: number): KnownBlock[] {
  const { filter, items, unreadable } = found;
  const only = [...onlyWords('channel', filter.channels.map(channelName)), ...onlyWords('provider', filter.providers)];
  const facts = [
    ...(only.length === 0 ? [] : [mrkdwn`Only ${joined(only, ', ')}`]),
    ...(items.length === shown || shown === 0
      ? []
      : [mrkdwn`Integrations ${offset + 1}–${offset + shown} of ${items.length}`]),
    ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} couldn't be read`]),
  ];
  const lines = [...(facts.length === 0 ? [] : [joined(facts, ' · ')]), ...warnings(found)];
  return lines.length === 0 ? [] : [context(...lines)];
}

function warnings({ items, inactiveChannels, isOwnKnown, environment, unreadable }: IntegrationsFound): Markup[] {
  const inactive = (channel: string) =>
    unreadable === 0
      ? mrkdwn`⚠️ No active ${channelName(channel)} integration: nothing is sent by ${channelName(channel)}`
      : mrkdwn`⚠️ No ${channelName(channel)} integration that could be read is active`;
  return [
    ...inactiveChannels.map(inactive),
    ...(isOwnKnown || items.length === 0
      ? []
      : [mrkdwn`⚠️ Which of them belong to ${badge(environment)} is unknown: none of its events could be read`]),
  ];
}

/** Lists the incidents of these integrations with their actions, each once. */
function incidents(items: readonly FoundIntegration[]): KnownBlock[] {
  const open = new Map(items.flatMap(({ lately }) => (lately?.incidents ?? []).map((one) => [one.episodeId, one])));
  return [...open.values()].map((now) => incidentMention(now, mrkdwn`Incident`));
}

/** Groups integrations of one channel and environment under its name. */
function byChannel(items: readonly FoundIntegration[], namesHomes: boolean): KnownBlock[] {
  const groups = new Map<string, FoundIntegration[]>();
  for (const item of items) {
    const key = JSON.stringify([item.home, item.channel]);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].flatMap((group) =>
    lineSections([title(group, namesHomes), ...group.map(integrationLine)]),
  );
}

function title([first]: readonly FoundIntegration[], namesHome: boolean): Markup {
  if (first === undefined) return mrkdwn``;
  const channel = bold(capitalised(channelName(first.channel)));
  return namesHome ? mrkdwn`${channel} in ${homeWords(first.home)}` : channel;
}

function homeWords(home: IntegrationEnvironment): Markup {
  return home.is === 'known' ? named(home.label) : mrkdwn`environment ${code(home.serviceEnvironmentId)}`;
}

const MOST_HOMES = 5;

function elsewhere({ elsewhere: others }: IntegrationsFound, { scope }: IntegrationsRequest): KnownBlock[] {
  if (scope === 'all' || others.length === 0) return [];
  const homes = others.map(({ home, count }) => mrkdwn`${count} in ${homeWords(home)}`);
  return [context(mrkdwn`The same organization has ${joined(firstOf(homes, MOST_HOMES), ', ')}`)];
}
