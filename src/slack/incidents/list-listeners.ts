import type { WebClient } from '@slack/web-api';
import type { ActSubject } from '../../domain/incidents/incident-actions.ts';
import type { ActedOnStore } from '../../use-cases/incidents/act-on-incident.ts';
import { affectedCsv, type EpisodeStore } from '../../use-cases/incidents/list-episode.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { AFFECTED, readSubject } from '../blocks/incident/incident-menu.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import {
  AFFECTED_A_PAGE,
  AFFECTED_BACK,
  AFFECTED_FILE,
  AFFECTED_ON,
  type AffectedPage,
  affectedMessage,
  readAffectedPage,
} from './affected-message.ts';
import {
  EVENTS_A_PAGE,
  EVENTS_BACK,
  EVENTS_ON,
  type EventsPage,
  eventsMessage,
  readEventsPage,
} from './events-message.ts';
import { FILE_SENT, noFileMessage } from './file-message.ts';
import { FORGOTTEN } from './message.ts';
import { sendFile } from './send-file.ts';

export interface ListParts {
  readonly store: ActedOnStore & EpisodeStore;
  readonly now: () => Date;
  readonly client: WebClient;
}

/** The pages behind 'Events' and 'Affected', and the file. */
export function listDoors(parts: ListParts): Door[] {
  const turnEvents = async (page: EventsPage, { reply }: ActionGesture) => reply.replace(await events(page, parts));
  const turnAffected = async (page: AffectedPage, { reply }: ActionGesture) =>
    reply.replace(await affected(page, parts));
  return doorsFor('members', [
    actionDoor(EVENTS_BACK, readEventsPage, turnEvents),
    actionDoor(EVENTS_ON, readEventsPage, turnEvents),
    actionDoor(AFFECTED, readSubject, (subject, gesture) => showAffected(subject, gesture, parts)),
    actionDoor(AFFECTED_BACK, readAffectedPage, turnAffected),
    actionDoor(AFFECTED_ON, readAffectedPage, turnAffected),
    actionDoor(AFFECTED_FILE, readSubject, (subject, gesture) => sendAffected(subject, gesture, parts)),
  ]);
}

export async function showEvents(subject: ActSubject, { reply }: ActionGesture, parts: ListParts): Promise<void> {
  await reply.show(await events({ ...subject, upTo: null, offset: 0 }, parts));
}

export async function showAffected(subject: ActSubject, { reply }: ActionGesture, parts: ListParts): Promise<void> {
  await reply.show(await affected({ ...subject, offset: 0 }, parts));
}

async function events(page: EventsPage, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(page, now());
  const { failures, upTo } = await store.episodeFailures(page.episodeId, { ...page, limit: EVENTS_A_PAGE });
  if (on === null || failures.length === 0) return FORGOTTEN;
  return eventsMessage({ ...page, upTo }, on.episode, failures);
}

async function affected(page: AffectedPage, { store, now }: ListParts): Promise<MessageContent> {
  const on = await store.actedOn(page, now());
  if (on === null) return FORGOTTEN;
  const asked = { after: null, offset: page.offset, limit: AFFECTED_A_PAGE };
  return affectedMessage(page, on.episode, await store.affected(page.episodeId, asked));
}

async function sendAffected(subject: ActSubject, { userId, reply }: ActionGesture, parts: ListParts): Promise<void> {
  const { store, now, client } = parts;
  const on = await store.actedOn(subject, now());
  if (on === null) return reply.show(FORGOTTEN);
  const { environment } = on.episode.tally.group;
  const file = {
    name: `affected-${environment}-${subject.episodeId}.csv`,
    title: `Affected subscribers in ${environment}`,
    content: affectedCsv(subject.episodeId, store),
  };
  const outcome = await sendFile(userId, file, client);
  await reply.show(outcome.is === 'sent' ? FILE_SENT : noFileMessage(outcome.scope));
}
