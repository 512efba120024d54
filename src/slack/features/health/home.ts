import type { HomeView, KnownBlock } from '@slack/types';
import type { Status } from '../../../health/status.ts';
import { type OpenIncident, type OpenIncidents, openIncidents } from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import type { Permission } from '../../../lib/people.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, divider, section } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-value.ts';
import { OPEN_FIND, OPEN_HELP, OPEN_TRIGGER } from '../../kit/buttons.ts';
import { incidentActions, incidentText } from '../../kit/incident/incident-row.ts';
import { badge, code, joined, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Flow } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { type CheckingCtx, environmentWords, isAbnormal, statusHeadline, statusNow } from './status.ts';

const REFRESH = 'home.refresh';

export type HomeCtx = CheckingCtx & Pick<SlackCtx, 'accessControl' | 'client'>;

export function homeFlow(ctx: HomeCtx): Flow {
  const routes = routesFor('everyone', [
    {
      surface: 'home',
      name: 'app_home_opened',
      answer: ({ userId }) => showHome(ctx, userId),
    },
    { surface: 'action', id: REFRESH, answer: ({ userId }) => showHome(ctx, userId) },
  ]);
  return { commands: [], routes };
}

const MOST_INCIDENTS = 10;

async function showHome(ctx: HomeCtx, userId: string): Promise<void> {
  const { client, db, environments, logger, now } = ctx;
  const names = environments.map(({ name }) => name);
  const [status, open, canTrigger] = await Promise.all([
    statusNow(ctx),
    openIncidents(db, names, MOST_INCIDENTS, now()).catch((err: unknown) => {
      logger.error({ err }, "Database couldn't be asked for a Home tab");
      return null;
    }),
    ctx.accessControl.canUse(userId, 'operators'),
  ]);
  await client.views.publish({ user_id: userId, view: homeView({ status, open, canTrigger }, environments) });
}

export interface Home {
  readonly status: Status;
  readonly open: OpenIncidents | null;
  /** Whether its owner can send tests; the button is also offered if that isn't known. */
  readonly canTrigger: Permission;
}

export function homeView({ status, open, canTrigger }: Home, environments: readonly Environment[]): HomeView {
  const left = open === null ? 0 : open.total - open.incidents.length;
  return {
    type: 'home',
    blocks: [
      section(statusHeadline(status)),
      ...(open?.incidents ?? []).flatMap((incident) => openIncidentRow(incident, environments)),
      ...(left === 0 ? [] : [context(mrkdwn`${plural(left, 'more open incident')}: ${code('/notif handover')}`)]),
      divider(),
      ...environmentRows(status),
      ...actions([
        canTrigger !== 'no' && button('Send a test', OPEN_TRIGGER, writeValue([])),
        button('Look up', OPEN_FIND, writeValue([])),
        button('Refresh', REFRESH, writeValue([])),
        button('Help', OPEN_HELP, writeValue([])),
      ]),
      context(mrkdwn`Updated ${time(status.at)}`),
    ],
  };
}

function openIncidentRow(incident: OpenIncident, environments: readonly Environment[]): KnownBlock[] {
  const { tally, mutedIn } = incident;
  const where = environments.length > 1 ? badge(labelled(tally.kind.environment, environments)) : null;
  const text = incidentText(incident, { beside: where, cause: null, namesPeople: true, isTerse: false });
  const muted = mutedIn === 0 ? [] : [mrkdwn`🔕 muted in ${plural(mutedIn, 'watch', 'watches')}`];
  return [section(joined([text, ...muted], '\n')), incidentActions(incident, null)];
}

/** With ten incidents, a Home tab has at most 45 of Slack's 100 blocks. */
const MOST_ENVIRONMENTS = 20;

function environmentRows({ environments, at }: Status): KnownBlock[] {
  const sorted = environments.toSorted((a, b) => Number(isAbnormal(b)) - Number(isAbnormal(a)));
  const left = sorted.length - MOST_ENVIRONMENTS;
  return [
    ...sorted.slice(0, MOST_ENVIRONMENTS).map((status) => section(environmentWords(status, at))),
    ...(left > 0 ? [context(mrkdwn`${plural(left, 'more environment')}: ${code('/notif status')}`)] : []),
  ];
}
