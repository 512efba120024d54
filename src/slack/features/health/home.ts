import type { HomeView } from '@slack/types';
import { subHours } from 'date-fns';
import { type OwedLater, owedLater } from '../../../alerts/holds.ts';
import { type OnCall, onCallNow } from '../../../health/on-call.ts';
import { reportStatus, type Status, type StatusCtx } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { resolvedIncidents } from '../../../incidents/lists.ts';
import { type Concerning, concerning } from '../../../incidents/open-incidents.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentRow, rowEmoji } from '../../incident-view/incident-row.ts';
import { incidentTitle } from '../../incident-view/incident-title.ts';
import { actions, button, context, divider, section } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-values.ts';
import { OPEN_FIND, runButton } from '../../kit/buttons.ts';
import type { Requester } from '../../kit/interaction.ts';
import { numberOf } from '../../kit/names.ts';
import { HOME_PREFIX } from '../../kit/places.ts';
import { badge, code, joined, type Line, type Markup, mrkdwn, plural, present } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { onCallWords } from '../../kit/watch-words.ts';
import type { Flow } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { bySeverity, environmentWords, statusHeadline, troubleRows } from './status.ts';

const REFRESH = `${HOME_PREFIX}refresh`;

/** Each list fills under half of the 100 blocks that Slack accepts. */
const MOST_INCIDENTS = 10;
const MOST_LINES = 20;

const ENDED_HOURS = 12;
const MOST_ENDED = 5;

export function homeFlow(ctx: SlackCtx & StatusCtx): Flow {
  const answer = async ({ userId }: Requester) => {
    const { client, db, environments, now } = ctx;
    const names = environments.map(({ name }) => name);
    // The check may end an outage, so open incidents are read after it.
    const status = await reportStatus(ctx, ctx.checkNow);
    const lately = { from: subHours(now(), ENDED_HOURS), to: now() };
    const [open, ended, owed, onCall, canTrigger] = await Promise.all([
      concerning(db, userId, names, { limit: MOST_INCIDENTS, now: now() }),
      resolvedIncidents(db, names, lately, MOST_ENDED),
      owedLater(db, names),
      onCallNow(ctx, () => true),
      ctx.accessControl.canUse(userId, 'operators'),
    ]);
    const shown = { status, open, ended: ended.items, owed, onCall, canTrigger };
    await client.views.publish({ user_id: userId, view: homeView(shown, environments) });
  };
  return {
    commands: [],
    routes: routesFor('everyone', [
      { surface: 'home', id: 'app_home_opened', answer },
      { surface: 'action', id: REFRESH, answer },
    ]),
  };
}

interface Home {
  status: Status;
  open: Concerning;
  ended: readonly IncidentNow[];
  owed: OwedLater;
  onCall: readonly OnCall[];
  canTrigger: boolean;
}

export function homeView(
  { status, open, ended, owed, onCall, canTrigger }: Home,
  environments: readonly Environment[],
): HomeView {
  const { mine, others: notMine } = open;
  const shown = [...mine, ...notMine.items];
  const others = status.environments
    .filter(({ health }) => shown.every(({ id }) => id !== health?.outageId))
    .toSorted(bySeverity);
  const rowsOf = (incidents: readonly IncidentNow[]) =>
    incidents.flatMap((incident) => incidentRow(incident, { beside: besideOf(incident, environments) }));
  const lines = [...troubleRows(status), ...others.map(environmentWords)];
  const left = lines.length - MOST_LINES;
  return {
    type: 'home',
    blocks: present([
      section(statusHeadline(status)),
      context(onCallWords(onCall), owedWords(owed)),
      mine.length > 0 && section(mrkdwn`*Yours*`),
      ...rowsOf(mine),
      mine.length > 0 && notMine.items.length > 0 && section(mrkdwn`*Others*`),
      ...rowsOf(notMine.items),
      context(notMine.more > 0 && mrkdwn`${plural(notMine.more, 'more open incident')}: ${code('/notif handover')}`),
      ended.length > 0 &&
        section([
          mrkdwn`*Ended in the last ${ENDED_HOURS} hours*`,
          ...ended.map((incident) => endedLine(incident, environments)),
        ]),
      divider(),
      ...lines.slice(0, MOST_LINES).map((line) => section(line)),
      context(left > 0 && mrkdwn`… and ${left} more: ${code('/notif status')}`),
      ...actions([
        canTrigger && runButton('Send a test', 'trigger'),
        button('Look up', OPEN_FIND, writeValue([])),
        button('Refresh', REFRESH, writeValue([])),
        runButton('Help', 'help'),
      ]),
      context(mrkdwn`Updated ${time(status.at, 'seconds')}`),
    ]),
  };
}

const besideOf = ({ environment }: IncidentNow, environments: readonly Environment[]): Markup | null =>
  environments.length > 1 ? badge(labeled(environment, environments)) : null;

function endedLine(incident: IncidentNow, environments: readonly Environment[]): Markup {
  const { state } = incident;
  const at = state.is === 'resolved' ? time(state.at) : null;
  return joined([
    mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`,
    at,
    besideOf(incident, environments),
    numberOf(incident.id),
  ]);
}

const owedWords = ({ incidents, until }: OwedLater): Line =>
  until &&
  mrkdwn`🌙 ${plural(incidents, 'incident waits', 'incidents wait')} for the end of quiet hours or mutes, ${time(until)} at the earliest`;
