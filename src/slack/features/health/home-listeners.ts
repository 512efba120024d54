import { openIncidents } from '../../../incidents/lists.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Flow } from '../../router/command.ts';
import { answerRoutes, pageRoutes, routesFor } from '../../router/route.ts';
import { type HomeCtx, homeOf } from './home.ts';
import { homeView, REFRESH } from './home-message.ts';
import {
  ALL_INCIDENTS,
  INCIDENTS_BACK,
  NEXT_INCIDENTS,
  openIncidentsMessage,
  parseOffset,
  ROWS_A_PAGE,
} from './incidents-message.ts';

type HomeFlowCtx = HomeCtx & Pick<SlackCtx, 'client'>;

export function homeFlow(ctx: HomeFlowCtx): Flow {
  const pageOf = (offset: number) => incidentsFrom(ctx, offset);
  const routes = routesFor('everyone', [
    {
      surface: 'event',
      name: 'app_home_opened',
      answer: async ({ tab, userId }) => {
        if (tab === 'home') await showHome(ctx, userId);
      },
    },
    { surface: 'action', id: REFRESH, answer: ({ userId }) => showHome(ctx, userId) },
    ...answerRoutes([ALL_INCIDENTS], parseOffset, pageOf),
    ...pageRoutes([INCIDENTS_BACK, NEXT_INCIDENTS], parseOffset, pageOf),
  ]);
  return { commands: [], routes };
}

async function showHome(ctx: HomeFlowCtx, userId: string): Promise<void> {
  const home = await homeOf(ctx, userId);
  await ctx.client.views.publish({ user_id: userId, view: homeView(home, ctx.environments) });
}

async function incidentsFrom({ db, environments, now }: HomeFlowCtx, offset: number): Promise<MessageContent> {
  const names = environments.map(({ name }) => name);
  return openIncidentsMessage(await openIncidents(db, names, { offset, limit: ROWS_A_PAGE }, now()), environments);
}
