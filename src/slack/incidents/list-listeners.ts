import type { WebClient } from '@slack/web-api';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import type { ActedOnStore } from '../../use-cases/incidents/act-on-incident.ts';
import { affectedCsv, type EpisodeStore } from '../../use-cases/incidents/list-episode.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { AFFECTED, EVENTS, parseActionTarget } from '../blocks/incident/incident-menu.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { actionRoute, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import {
  AFFECTED_A_PAGE,
  AFFECTED_BACK,
  AFFECTED_FILE,
  type AffectedPage,
  affectedMessage,
  NEXT_AFFECTED,
  parseAffectedPage,
} from './affected-message.ts';
import {
  EVENTS_BACK,
  type EventsPage,
  eventsMessage,
  NEXT_EVENTS,
  parseEventsPage,
  ROWS_A_PAGE,
} from './events-message.ts';
import { FILE_SENT, noFileMessage } from './file-message.ts';
import { FORGOTTEN } from './message.ts';
import { sendFile } from './send-file.ts';

export interface ListParts {
  readonly store: ActedOnStore & EpisodeStore;
  readonly now: () => Date;
  readonly client: WebClient;
}

/** The routes for the pages behind 'View events' and 'View affected', and for the file, which takes all subscribers out of Slack. */
export function listRoutes(parts: ListParts): Route[] {
  const lists = routesFor('everyone', [
    ...pageRoutes([EVENTS_BACK, NEXT_EVENTS], parseEventsPage, (page) => events(page, parts)),
    actionRoute(
      EVENTS,
      (_value, blockId) => parseActionTarget(blockId),
      (target, interaction) => showEvents(target, interaction, parts),
    ),
    actionRoute(AFFECTED, parseActionTarget, (target, interaction) => showAffected(target, interaction, parts)),
    ...pageRoutes([AFFECTED_BACK, NEXT_AFFECTED], parseAffectedPage, (page) => affected(page, parts)),
  ]);
  const file = routesFor('members', [
    actionRoute(AFFECTED_FILE, parseActionTarget, (target, interaction) => sendAffected(target, interaction, parts)),
  ]);
  return [...lists, ...file];
}

export async function showEvents(target: ActionTarget, { reply }: ActionInteraction, parts: ListParts): Promise<void> {
  await reply.show(await events({ ...target, upTo: null, offset: 0 }, parts));
}

export async function showAffected(
  target: ActionTarget,
  { reply }: ActionInteraction,
  parts: ListParts,
): Promise<void> {
  await reply.show(await affected({ ...target, offset: 0 }, parts));
}

async function events(page: EventsPage, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(page, now());
  const { failures, upTo } = await store.episodeFailures(page.episodeId, { ...page, limit: ROWS_A_PAGE });
  if (on === null || (failures.length === 0 && page.offset === 0)) return FORGOTTEN;
  return eventsMessage({ ...page, upTo }, on.episode, failures);
}

async function affected(page: AffectedPage, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(page, now());
  if (on === null) return FORGOTTEN;
  const asked = { after: null, offset: page.offset, limit: AFFECTED_A_PAGE };
  const hit = await store.affected(page.episodeId, asked);
  return affectedMessage(page, on.episode, hit, page.offset === 0 ? await store.inCommon(page.episodeId) : null);
}

async function sendAffected(
  target: ActionTarget,
  { userId, reply }: ActionInteraction,
  parts: ListParts,
): Promise<void> {
  const { store, now, client } = parts;
  const on = await store.actedOn(target, now());
  if (on === null) return reply.show(FORGOTTEN);
  const { environment } = on.episode.tally.group;
  const file = {
    name: `affected-${environment}-${target.episodeId}.csv`,
    title: `Affected subscribers in ${environment}`,
    content: affectedCsv(target.episodeId, store),
  };
  const refusal = await sendFile(userId, file, client);
  await reply.show(refusal === null ? FILE_SENT : noFileMessage(refusal));
}
