import type { HomeView, KnownBlock } from '@slack/types';
import { statusHeadline } from '../../../health/headline.ts';
import type { Home, OpenIncidents, SeenWatches } from '../../../health/home.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { Watch } from '../../../watches/settings.ts';
import { actions, button, context, divider, section } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-value.ts';
import { OPEN_FIND, OPEN_HELP, OPEN_TRIGGER } from '../../kit/buttons.ts';
import { channelLink, code, joined, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { headlineWords } from '../../kit/words/headline-words.ts';
import { readingLines, worstFirst } from '../../kit/words/reading-lines.ts';
import { statusLines } from '../../kit/words/status-words.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import { incidentsButton, openIncidentRow } from './incidents-message.ts';

export const REFRESH = 'home.refresh';

/** With this many environments, ten incidents and fifteen watches, which are the maximum, a Home tab has at most 70 of Slack's 100 blocks. */
const MOST_ENVIRONMENTS = 15;

export function homeView(home: Home, environments: readonly Environment[]): HomeView {
  return {
    type: 'home',
    blocks: [
      ...head(home, environments),
      divider(),
      ...environmentRows(home),
      divider(),
      ...incidentRows(home.open, environments),
      divider(),
      ...watchRows(home.watches, environments),
      divider(),
      context(...statusLines(home.status)),
    ],
  };
}

function head({ status, canTrigger }: Home, environments: readonly Environment[]): KnownBlock[] {
  return [
    section(headlineWords(statusHeadline(status), environments), button('Refresh', REFRESH, writeValue([]))),
    context(mrkdwn`Updated ${time(status.at)}`),
    ...actions([
      button('Find a notification', OPEN_FIND, writeValue([])),
      ...(canTrigger === 'no' ? [] : [button('Send a test', OPEN_TRIGGER, writeValue([]))]),
      button('Help', OPEN_HELP, writeValue([])),
    ]),
  ];
}

function environmentRows({ status: { environments, at } }: Home): KnownBlock[] {
  const shown = worstFirst(environments).slice(0, MOST_ENVIRONMENTS);
  const left = environments.length - shown.length;
  const more = left === 0 ? [] : [context(mrkdwn`${plural(left, 'more environment')}: ${code('/notif status')}`)];
  return [...shown.map((status) => section(joined(readingLines(status, at), '\n'))), ...more];
}

function incidentRows(open: OpenIncidents | null, environments: readonly Environment[]): KnownBlock[] {
  if (open === null) return [section(mrkdwn`*Open incidents* can't be shown: the database isn't responding.`)];
  const { total } = open;
  if (total === 0) return [section(mrkdwn`*No open incidents.*`)];
  return [
    section(total === 1 ? mrkdwn`*1 open incident*` : mrkdwn`*${total} open incidents*`),
    ...open.incidents.flatMap((incident) => openIncidentRow(incident, environments)),
    ...actions(total > open.incidents.length ? [incidentsButton(open)] : []),
  ];
}

function watchRows(seen: SeenWatches | null, environments: readonly Environment[]): KnownBlock[] {
  if (seen === null) return [section(mrkdwn`*Watches* can't be shown: the database isn't responding.`)];
  const { watches, others } = seen;
  if (watches.length + others === 0) {
    return [section(mrkdwn`*No watches.* Run ${code('/notif watch')} in a channel to get failure alerts there.`)];
  }
  const more =
    others === 0 ? [] : [context(mrkdwn`${others} more, in private channels, direct messages or too many for here.`)];
  return [section(mrkdwn`*Watches*`), ...watches.map((watch) => watchRow(watch, environments)), ...more];
}

function watchRow({ channel, settings }: Watch, environments: readonly Environment[]): KnownBlock {
  const [about = mrkdwn``, ...manner] = settingsLines(settings, { environments, namesPeople: true });
  return section(joined([mrkdwn`${channelLink(channel)} · ${about}`, ...manner], '\n'));
}
