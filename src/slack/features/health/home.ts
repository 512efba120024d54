import type { HomeView, KnownBlock } from '@slack/types';
import type { Status, StatusCtx } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { openIncidents, type Top } from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import { actions, button, context, contextLines, divider, section } from '../../kit/blocks.ts';
import { OPEN_FIND, runButton, writeValue } from '../../kit/buttons.ts';
import { badge, code, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Flow } from '../../router/command.ts';
import type { Requester } from '../../router/interaction.ts';
import { HOME_PREFIX } from '../../router/places.ts';
import { routesFor } from '../../router/route.ts';
import { bySeverity, environmentWords, statusHeadline, statusNow, troubleRows } from './status.ts';

const REFRESH = `${HOME_PREFIX}refresh`;

export function homeFlow(ctx: SlackCtx & StatusCtx): Flow {
  const answer = async ({ userId }: Requester) => {
    const { client, db, environments, now } = ctx;
    const names = environments.map(({ name }) => name);
    const [status, open, canTrigger] = await Promise.all([
      statusNow(ctx),
      openIncidents(db, names, MOST_SHOWN, now()),
      ctx.accessControl.canUse(userId, 'operators'),
    ]);
    await client.views.publish({ user_id: userId, view: homeView({ status, open, canTrigger }, environments) });
  };
  const routes = routesFor('everyone', [
    { surface: 'home', id: 'app_home_opened', answer },
    { surface: 'action', id: REFRESH, answer },
  ]);
  return { commands: [], routes };
}

/** With their buttons, about sixty of the 100 blocks that Slack accepts. */
const MOST_SHOWN = 10;
const MOST_ENVIRONMENTS = 20;

export function homeView(
  { status, open, canTrigger }: { status: Status; open: Top<IncidentNow>; canTrigger: boolean },
  environments: readonly Environment[],
): HomeView {
  return {
    type: 'home',
    blocks: [
      section(statusHeadline(status)),
      ...open.items.flatMap((incident) => {
        const beside = environments.length > 1 ? badge(labelled(incident.environment, environments)) : null;
        return incidentRow(incident, { messageId: null, beside });
      }),
      ...contextLines([
        open.more > 0 && mrkdwn`${plural(open.more, 'more open incident')}: ${code('/notif handover')}`,
      ]),
      divider(),
      ...firstRows(troubleRows(status), MOST_SHOWN),
      ...firstRows(status.environments.toSorted(bySeverity).map(environmentWords), MOST_ENVIRONMENTS),
      ...actions([
        canTrigger && runButton('Send a test', 'trigger'),
        button('Look up', OPEN_FIND, writeValue([])),
        button('Refresh', REFRESH, writeValue([])),
        runButton('Help', 'help'),
      ]),
      context(mrkdwn`Updated ${time(status.at)}`),
    ],
  };
}

function firstRows(rows: readonly Markup[], most: number): KnownBlock[] {
  const left = rows.length - most;
  const more = contextLines([left > 0 && mrkdwn`… and ${left} more: ${code('/notif status')}`]);
  return [...rows.slice(0, most).map((row) => section(row)), ...more];
}
