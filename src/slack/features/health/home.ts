import type { HomeView } from '@slack/types';
import { reportStatus, type Status, type StatusCtx } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { openIncidents, type Top } from '../../../incidents/lists.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import { actions, button, context, divider, OPEN_FIND, runButton, section, writeValue } from '../../kit/blocks.ts';
import type { Requester } from '../../kit/interaction.ts';
import { HOME_PREFIX } from '../../kit/places.ts';
import { badge, code, mrkdwn, plural, present, time } from '../../kit/text.ts';
import type { Flow } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { bySeverity, environmentWords, statusHeadline, troubleRows } from './status.ts';

const REFRESH = `${HOME_PREFIX}refresh`;

export function homeFlow(ctx: SlackCtx & StatusCtx): Flow {
  const answer = async ({ userId }: Requester) => {
    const { client, db, environments, now } = ctx;
    const names = environments.map(({ name }) => name);
    // The check may end an outage, so open incidents are read after it.
    const status = await reportStatus(ctx, ctx.checkNow);
    const [open, canTrigger] = await Promise.all([
      openIncidents(db, names, MOST_INCIDENTS, now()),
      ctx.accessControl.canUse(userId, 'operators'),
    ]);
    await client.views.publish({ user_id: userId, view: homeView({ status, open, canTrigger }, environments) });
  };
  return {
    commands: [],
    routes: routesFor('everyone', [
      { surface: 'home', id: 'app_home_opened', answer },
      { surface: 'action', id: REFRESH, answer },
    ]),
  };
}

/** Each list fills under half of the 100 blocks that Slack accepts. */
const MOST_INCIDENTS = 10;
const MOST_LINES = 20;

export function homeView(
  { status, open, canTrigger }: { status: Status; open: Top<IncidentNow>; canTrigger: boolean },
  environments: readonly Environment[],
): HomeView {
  const others = status.environments
    .filter(({ health }) => open.items.every(({ id }) => id !== health?.outageId))
    .toSorted(bySeverity);
  const lines = [...troubleRows(status), ...others.map(environmentWords)];
  const left = lines.length - MOST_LINES;
  return {
    type: 'home',
    blocks: present([
      section(statusHeadline(status)),
      ...open.items.flatMap((incident) => {
        const beside = environments.length > 1 ? badge(labeled(incident.environment, environments)) : null;
        return incidentRow(incident, { beside });
      }),
      context(open.more > 0 && mrkdwn`${plural(open.more, 'more open incident')}: ${code('/notif handover')}`),
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
