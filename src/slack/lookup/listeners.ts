import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { EventListRequest } from '../../domain/event-list.ts';
import type { Seal } from '../../domain/seal.ts';
import type { Audience as IdAudience } from '../../domain/shown-id.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/sought.ts';
import { type EventLister, listEvents } from '../../use-cases/list-events.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { LookupRequest } from '../blocks/lookup-button.ts';
import { OPEN_FIND } from '../blocks/open-buttons.ts';
import { mrkdwn } from '../blocks/text.ts';
import { waitingView } from '../blocks/view.ts';
import type { Command } from '../doors/command.ts';
import { actionDoor, type Door, doorsFor } from '../doors/door.ts';
import { type ChannelEnvironmentParts, environmentIn } from '../doors/environment-in.ts';
import type { Gesture, MessageGesture, Told } from '../doors/gesture.ts';
import type { ErrorParts } from '../on-error.ts';
import { FIND, FIND_TITLE, type FindRequest, findView, readFind } from './find-modal.ts';
import { BACK, LIST, listMessage, ON, readList } from './list-message.ts';
import { choiceMessage, type LookupChoice, nothingToLookFor } from './message.ts';

/** For whom an answer is: the one who asked, or everybody in a conversation, by whom it was asked for. */
export type Audience = { readonly is: 'person' } | { readonly is: 'channel'; readonly sharedBy: string };

export interface LookupParts extends ErrorParts, ChannelEnvironmentParts {
  readonly serviceOf: (environment: string) => EventLister;
  readonly now: () => Date;
  readonly seal: Seal;
}

/** What became of an event or a transaction, as its own flow tells it. */
export type ShowEvent = (request: LookupRequest, audience: Audience, gesture: Told) => Promise<MessageContent>;

/** Answers what is to be looked for. `environment` is meant where that does not say. */
export interface Lookup {
  /** What a text names, or the way to each of several things; null where it names nothing. */
  answer(text: string, environment: Environment, audience: Audience, gesture: Told): Promise<MessageContent | null>;
  /** The same for what was found in a text; null where that is nothing. */
  show(
    found: readonly Recognised[],
    environment: Environment,
    audience: Audience,
    gesture: Told,
  ): Promise<MessageContent | null>;
}

export function createLookup(showEvent: ShowEvent, parts: LookupParts): Lookup {
  const showOne = ({ sought, environment }: LookupChoice, audience: Audience, gesture: Told) => {
    if (sought.kind === 'event' || sought.kind === 'transaction')
      return showEvent({ environment: environment.name, target: sought }, audience, gesture);
    const request = { environment: environment.name, owner: sought, before: parts.now(), page: 0 };
    return listPage(request, audience.is === 'channel', parts);
  };
  const show: Lookup['show'] = async (found, environment, audience, gesture) => {
    const choices = found.map((one) => choiceOf(one, environment, parts));
    const [only] = choices;
    if (only === undefined) return null;
    if (choices.length === 1) return showOne(only, audience, gesture);
    const areMore = choices.length > MOST_RECOGNISED;
    return choiceMessage(choices.slice(0, MOST_RECOGNISED), {
      areMore,
      audience: shownTo(audience),
      now: parts.now(),
      seal: parts.seal,
    });
  };
  return {
    answer: (text, environment, audience, gesture) =>
      show(recognise(text, parts.environments, MOST_RECOGNISED + 1), environment, audience, gesture),
    show,
  };
}

function choiceOf(
  { sought, environment }: Recognised,
  asked: Environment,
  { environments }: LookupParts,
): LookupChoice {
  return { sought, environment: environment === null ? asked : environmentNamed(environment, environments) };
}

/**
 * Looking things up by a form, in a message, by a mention and in a direct message; and the pages of somebody's events. `commands` are
 * for whoever writes one as a message.
 */
export function lookupDoors(lookup: Lookup, commands: readonly Pick<Command, 'word'>[], parts: LookupParts): Door[] {
  const written = (gesture: MessageGesture, audience: Audience) =>
    answerWritten(gesture, audience, { ...parts, lookup, commands });
  const read = (value: string) => readList(value, parts.seal);
  const turn = (request: EventListRequest) => listPage(request, false, parts);
  return [
    ...doorsFor('everyone', [
      {
        surface: 'shortcut',
        callbackId: 'look_up_notification',
        type: 'message',
        answer: async (gesture) => {
          const environment = await environmentIn(gesture.channelId, undefined, parts);
          const found = await lookup.answer(gesture.messageText, environment, { is: 'person' }, gesture);
          await gesture.reply.show(found ?? nothingToLookFor(null, 'requester', parts.seal));
        },
      },
      {
        surface: 'event',
        name: 'app_mention',
        answer: (gesture) => written(gesture, { is: 'channel', sharedBy: gesture.userId }),
      },
      { surface: 'event', name: 'message.im', answer: (gesture) => written(gesture, { is: 'person' }) },
      actionDoor(LIST, read, async (request, { reply }) => reply.show(await turn(request))),
      actionDoor(BACK, read, async (request, { reply }) => reply.replace(await turn(request))),
      actionDoor(ON, read, async (request, { reply }) => reply.replace(await turn(request))),
    ]),
    ...findDoors(lookup, parts),
  ];
}

function findDoors(lookup: Lookup, parts: LookupParts): Door[] {
  const { environments } = parts;
  const open = async (gesture: Gesture): Promise<void> => void (await gesture.openModal(findView(environments)));
  return doorsFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    {
      surface: 'view',
      callbackId: FIND,
      take: ({ valueIn }) => {
        const read = readFind(valueIn, environments);
        if ('errors' in read) return { is: 'refused', errors: read.errors };
        const next = waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`);
        return { is: 'taken', next, answer: (gesture) => showFound(lookup, read, gesture, parts) };
      },
    },
  ]);
}

async function showFound(
  lookup: Lookup,
  { found, environment }: FindRequest,
  gesture: Gesture,
  parts: LookupParts,
): Promise<void> {
  const answer = await lookup.show(found, environment, { is: 'person' }, gesture);
  await gesture.reply.show(answer ?? nothingToLookFor(null, 'requester', parts.seal));
}

const ENVIRONMENT = /(?<!\S)env:([\w-]{1,40})(?![\w-])/i;

interface WrittenParts extends LookupParts {
  readonly lookup: Lookup;
  readonly commands: readonly Pick<Command, 'word'>[];
}

async function answerWritten(gesture: MessageGesture, audience: Audience, parts: WrittenParts): Promise<void> {
  const { text, texts, channelId, reply } = gesture;
  const environment = await environmentIn(channelId, text.match(ENVIRONMENT)?.[1], parts);
  const limit = MOST_RECOGNISED + 1;
  const recognised = texts.map((one) => recognise(one.replace(ENVIRONMENT, ' '), parts.environments, limit));
  const named = recognised.find((all) => all.length > 0) ?? [];
  const found = await parts.lookup.show(named, environment, audience, gesture);
  const [typed = ''] = text.toLowerCase().split(/\s/, 1);
  const isCommand = parts.commands.some(({ word }) => word === typed);
  await reply.show(found ?? nothingToLookFor(isCommand ? text : null, shownTo(audience), parts.seal));
}

function shownTo({ is }: Audience): IdAudience {
  return is === 'channel' ? 'everyone' : 'requester';
}

function listPage(request: EventListRequest, isForAll: boolean, parts: LookupParts): Promise<MessageContent> {
  const environment = environmentNamed(request.environment, parts.environments);
  return listEvents(request, { ...parts, environment }).then((list) =>
    listMessage(list, { isForAll, seal: parts.seal }),
  );
}
