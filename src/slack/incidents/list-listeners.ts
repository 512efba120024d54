import type { WebClient } from '@slack/web-api';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import type { ActedOnStore } from '../../use-cases/incidents/act-on-incident.ts';
import { affectedCsv, type EpisodeStore } from '../../use-cases/incidents/list-episode.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { AFFECTED, EVENTS, parseActionTarget } from '../blocks/incident/incident-menu.ts';
import { ROWS_LOADED } from '../blocks/list.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { actionRoute, answerRoutes, type Route, routesFor } from '../interactions/route.ts';
import { AFFECTED_FILE, affectedMessage } from './affected-message.ts';
import { type EventsRequest, eventsMessage, MORE_EVENTS, parseEvents } from './events-message.ts';
import { FILE_SENT, noFileMessage } from './file-message.ts';
import { FORGOTTEN } from './message.ts';
import { sendFile } from './send-file.ts';

export interface ListParts {
  readonly store: ActedOnStore & EpisodeStore;
  readonly now: () => Date;
  readonly client: WebClient;
}

/** The file takes all subscribers out of Slack. */
export function listRoutes(parts: ListParts): Route[] {
  const lists = routesFor('everyone', [
    ...answerRoutes([MORE_EVENTS], parseEvents, (request) => events(request, parts)),
    actionRoute(
      EVENTS,
      (_value, blockId) => parseActionTarget(blockId),
      (target, interaction) => showEvents(target, interaction, parts),
    ),
    actionRoute(AFFECTED, parseActionTarget, (target, interaction) => showAffected(target, interaction, parts)),
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
  await reply.show(await affected(target, parts));
}

async function events(request: EventsRequest, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(request, now());
  const { failures, upTo } = await store.episodeFailures(request.episodeId, { ...request, limit: ROWS_LOADED });
  if (on === null || (failures.length === 0 && request.offset === 0)) return FORGOTTEN;
  return eventsMessage({ ...request, upTo }, on.episode, failures);
}

async function affected(target: ActionTarget, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(target, now());
  if (on === null) return FORGOTTEN;
  const hit = await store.mostAffected(target.episodeId, ROWS_LOADED);
  return affectedMessage(target, on.episode, hit, await store.inCommon(target.episodeId));
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
