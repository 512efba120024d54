import type { WebClient } from '@slack/web-api';
import { openIncidents } from '../../incidents/lists.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { mrkdwn } from '../blocks/text.ts';
import type { Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, pageRoutes, routesFor } from '../interactions/route.ts';
import { type HomeCtx, homeOf } from './home.ts';
import {
  ALL_INCIDENTS,
  INCIDENTS_BACK,
  NEXT_INCIDENTS,
  openIncidentsMessage,
  parseOffset,
  ROWS_A_PAGE,
} from './incidents-message.ts';
import { homeView, REFRESH } from './message.ts';

export interface HomeFlowCtx extends HomeCtx {
  readonly client: Pick<WebClient, 'views'>;
}

export function homeFlow(parts: HomeFlowCtx): Flow {
  const pageOf = (offset: number) => incidentsFrom(offset, parts);
  const routes = routesFor('everyone', [
    {
      surface: 'event',
      name: 'app_home_opened',
      answer: async ({ tab, userId }) => {
        if (tab === 'home') await showHome(userId, parts);
      },
    },
    { surface: 'action', id: REFRESH, answer: (interaction) => refresh(interaction, parts) },
    ...answerRoutes([ALL_INCIDENTS], parseOffset, pageOf),
    ...pageRoutes([INCIDENTS_BACK, NEXT_INCIDENTS], parseOffset, pageOf),
  ]);
  return { commands: [], routes };
}

async function showHome(userId: string, parts: HomeFlowCtx): Promise<void> {
  const home = await homeOf(userId, parts);
  await parts.client.views.publish({ user_id: userId, view: homeView(home, parts.environments) });
}

/** A person who waits in a modal is answered there too. */
async function refresh({ userId, reply }: ActionInteraction, parts: HomeFlowCtx): Promise<void> {
  await showHome(userId, parts);
  await reply.endWait?.(UP_TO_DATE);
}

const UP_TO_DATE: MessageContent = message(mrkdwn`Your Home tab is up to date.`, [
  section(mrkdwn`✅ Your Home tab is up to date.`),
]);

async function incidentsFrom(offset: number, { db, environments, now }: HomeFlowCtx): Promise<MessageContent> {
  const names = environments.map(({ name }) => name);
  return openIncidentsMessage(await openIncidents(db, names, { offset, limit: ROWS_A_PAGE }, now()), environments);
}
