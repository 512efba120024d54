import { noteHomeClick, type RefreshHomesParts, showHome } from '../../use-cases/health/refresh-homes.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { mrkdwn } from '../blocks/text.ts';
import { PATIENCE_MS } from '../interactions/answering.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { GROUPS, GROUPS_A_PAGE, GROUPS_BACK, GROUPS_ON, groupsMessage, readOffset } from './groups-message.ts';
import { REFRESH } from './message.ts';

/** The Home tab, its button, and the list of open incidents behind it. */
export function homeDoors(parts: RefreshHomesParts): Door[] {
  const turn = async (offset: number, { reply }: ActionGesture) => reply.replace(await groupsFrom(offset, parts));
  return doorsFor('everyone', [
    {
      surface: 'event',
      name: 'app_home_opened',
      answer: async ({ tab, userId }) => {
        if (tab === 'home') await showHome(userId, parts);
      },
    },
    { surface: 'action', id: REFRESH, answer: (gesture) => refresh(gesture, parts) },
    actionDoor(GROUPS, readOffset, async (offset, { reply }) => reply.show(await groupsFrom(offset, parts))),
    actionDoor(GROUPS_BACK, readOffset, turn),
    actionDoor(GROUPS_ON, readOffset, turn),
  ]);
}

/** Whoever clicks on their Home tab, whatever the button, looks at it: it is kept up to date for a while longer. */
export function notingHomeClicks(doors: readonly Door[], parts: RefreshHomesParts): Door[] {
  return doors.map((door) => (door.surface === 'action' ? { ...door, answer: noting(door.answer, parts) } : door));
}

function noting(answer: (gesture: ActionGesture) => Promise<void>, parts: RefreshHomesParts) {
  return async (gesture: ActionGesture) => {
    if (!isOnHome(gesture)) return answer(gesture);
    await Promise.all([answer(gesture), noteHomeClick(gesture.userId, parts)]);
  };
}

/** A message stands in a channel, and a modal is told with its click. */
function isOnHome({ channelId, modal }: ActionGesture): boolean {
  return channelId === null && modal === null;
}

/** The tab itself is the answer; whoever was told to wait in a modal is told there too. */
async function refresh({ userId, reply }: ActionGesture, parts: RefreshHomesParts): Promise<void> {
  const askedAt = parts.now().getTime();
  await showHome(userId, parts);
  if (parts.now().getTime() - askedAt >= PATIENCE_MS) await reply.show(UP_TO_DATE);
}

const UP_TO_DATE: MessageContent = message(mrkdwn`Your Home tab is up to date.`, [
  section(mrkdwn`✅ Your Home tab is up to date.`),
]);

async function groupsFrom(offset: number, { store, environments, now }: RefreshHomesParts): Promise<MessageContent> {
  const names = environments.map(({ name }) => name);
  return groupsMessage(await store.openGroups(names, { offset, limit: GROUPS_A_PAGE }, now()), environments);
}
