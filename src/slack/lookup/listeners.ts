import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { EventListRequest } from '../../domain/event-list.ts';
import type { Seal } from '../../domain/seal.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/sought.ts';
import { type EventLister, listEvents } from '../../use-cases/list-events.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { LookupRequest } from '../blocks/lookup-button.ts';
import type { Command } from '../doors/command.ts';
import { actionDoor, type Door } from '../doors/door.ts';
import { type ChannelEnvironmentParts, environmentIn } from '../doors/environment-in.ts';
import type { MessageGesture, Told } from '../doors/gesture.ts';
import type { ErrorParts } from '../on-error.ts';
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

/** Answers what is to be looked for in a text. */
export interface Lookup {
  /** All that a text names, or the way to each; null where it names nothing. `environment` is meant where it does not say. */
  answer(text: string, environment: Environment, audience: Audience, gesture: Told): Promise<MessageContent | null>;
}

export function createLookup(showEvent: ShowEvent, parts: LookupParts): Lookup {
  const show = ({ sought, environment }: LookupChoice, audience: Audience, gesture: Told) => {
    if (sought.kind === 'event' || sought.kind === 'transaction')
      return showEvent({ environment: environment.name, target: sought }, audience, gesture);
    const request = { environment: environment.name, owner: sought, before: parts.now(), page: 0 };
    return listPage(request, audience.is === 'channel', parts);
  };
  return {
    answer: async (text, environment, audience, gesture) => {
      const found = recognise(text, parts.environments, MOST_RECOGNISED + 1);
      const choices = found.map((one) => choiceOf(one, environment, parts));
      const [only] = choices;
      if (only === undefined) return null;
      if (choices.length === 1) return show(only, audience, gesture);
      const areMore = choices.length > MOST_RECOGNISED;
      return choiceMessage(choices.slice(0, MOST_RECOGNISED), { areMore, now: parts.now(), seal: parts.seal });
    },
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
 * Looking things up in a message, by a mention and in a direct message; and the pages of somebody's events. `commands` are for whoever
 * writes one as a message.
 */
export function lookupDoors(lookup: Lookup, commands: readonly Pick<Command, 'word'>[], parts: LookupParts): Door[] {
  const written = (gesture: MessageGesture, audience: Audience) =>
    answerWritten(gesture, audience, { ...parts, lookup, commands });
  const read = (value: string) => readList(value, parts.seal);
  const turn = (request: EventListRequest) => listPage(request, false, parts);
  return [
    {
      surface: 'shortcut',
      callbackId: 'look_up_notification',
      type: 'message',
      answer: async (gesture) => {
        const environment = await environmentIn(gesture.channelId, undefined, parts);
        const found = await lookup.answer(gesture.messageText, environment, { is: 'person' }, gesture);
        await gesture.reply.show(found ?? nothingToLookFor(null));
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
  ];
}

const ENVIRONMENT = /(?<!\S)env:([\w-]{1,40})(?![\w-])/i;

interface WrittenParts extends LookupParts {
  readonly lookup: Lookup;
  readonly commands: readonly Pick<Command, 'word'>[];
}

async function answerWritten(gesture: MessageGesture, audience: Audience, parts: WrittenParts): Promise<void> {
  const { text, channelId, reply } = gesture;
  const environment = await environmentIn(channelId, text.match(ENVIRONMENT)?.[1], parts);
  const found = await parts.lookup.answer(text.replace(ENVIRONMENT, ' '), environment, audience, gesture);
  const [typed = ''] = text.toLowerCase().split(/\s/, 1);
  const isCommand = parts.commands.some(({ word }) => word === typed);
  await reply.show(found ?? nothingToLookFor(isCommand ? text : null));
}

function listPage(request: EventListRequest, isForAll: boolean, parts: LookupParts): Promise<MessageContent> {
  const environment = environmentNamed(request.environment, parts.environments);
  return listEvents(request, { ...parts, environment }).then((list) =>
    listMessage(list, { isForAll, seal: parts.seal }),
  );
}
