import { noteHomeClick, type RefreshHomesParts, showHome } from '../../use-cases/health/refresh-homes.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { mrkdwn } from '../blocks/text.ts';
import type { Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import {
  ALL_INCIDENTS,
  INCIDENTS_BACK,
  NEXT_INCIDENTS,
  openIncidentsMessage,
  parseOffset,
  ROWS_A_PAGE,
} from './incidents-message.ts';
import { REFRESH } from './message.ts';

/** The Home tab, its button, and its list of open incidents. */
export function homeFlow(parts: RefreshHomesParts): Flow {
  const pageOf = (offset: number) => groupsFrom(offset, parts);
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

/** Records clicks on the Home tab, whatever the button: the tab is then kept up to date for a while longer. */
export function notingHomeClicks(routes: readonly Route[], parts: RefreshHomesParts): Route[] {
  return routes.map((route) =>
    route.surface === 'action' ? { ...route, answer: noting(route.answer, parts) } : route,
  );
}

function noting(answer: (interaction: ActionInteraction) => Promise<void>, parts: RefreshHomesParts) {
  return async (interaction: ActionInteraction) => {
    if (!isOnHome(interaction)) return answer(interaction);
    await Promise.all([answer(interaction), noteHomeClick(interaction.userId, parts)]);
  };
}

/** Returns whether a click was on the Home tab: it has no channel, unlike one in a message, and no modal. */
function isOnHome({ channelId, modal }: ActionInteraction): boolean {
  return channelId === null && modal === null;
}

/** Updates the tab itself; a person who waits in a modal is answered there too. */
async function refresh({ userId, reply }: ActionInteraction, parts: RefreshHomesParts): Promise<void> {
  await showHome(userId, parts);
  await reply.endWait?.(UP_TO_DATE);
}

const UP_TO_DATE: MessageContent = message(mrkdwn`Your Home tab is up to date.`, [
  section(mrkdwn`✅ Your Home tab is up to date.`),
]);

async function groupsFrom(offset: number, { store, environments, now }: RefreshHomesParts): Promise<MessageContent> {
  const names = environments.map(({ name }) => name);
  return openIncidentsMessage(await store.openIncidents(names, { offset, limit: ROWS_A_PAGE }, now()), environments);
}
