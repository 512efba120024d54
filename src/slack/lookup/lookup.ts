import type { Seal } from '../../domain/access/seal.ts';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { MOST_RECOGNISED, type Recognised, recognise } from '../../domain/input/lookup-target.ts';
import type { EventListRequest } from '../../domain/lookups/event-list.ts';
import { type EventList, type EventLister, listEvents } from '../../use-cases/lookups/list-events.ts';
import type { LookupRequest } from '../blocks/buttons.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import type { ChannelEnvironmentParts } from '../interactions/environment-in.ts';
import type { Requester } from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { listMessage } from './list-message.ts';
import { choiceMessage, type LookupChoice } from './message.ts';

export interface LookupParts extends ErrorParts, ChannelEnvironmentParts {
  readonly serviceOf: (environment: string) => EventLister;
  readonly now: () => Date;
  readonly seal: Seal;
}

/** Another flow's answer. */
export type ShowEvent = (request: LookupRequest, reader: Reader, interaction: Requester) => Promise<LookupAnswer>;

/** `environment` is the default if the request doesn't name one. */
export interface Lookup {
  /** Null if the text refers to nothing. */
  answer(text: string, environment: Environment, reader: Reader, interaction: Requester): Promise<LookupAnswer | null>;
  /** Null if there are none. */
  show(
    found: readonly Recognised[],
    environment: Environment,
    reader: Reader,
    interaction: Requester,
  ): Promise<LookupAnswer | null>;
}

export function createLookup(showEvent: ShowEvent, parts: LookupParts): Lookup {
  const showOne = async ({ target, environment }: LookupChoice, reader: Reader, interaction: Requester) => {
    if (target.kind === 'event' || target.kind === 'transaction')
      return showEvent({ environment: environment.name, target }, reader, interaction);
    const request = { environment: environment.name, owner: target, before: parts.now(), end: null, from: 0 };
    const list = await listOf(request, parts);
    const isFound = list.events.length + list.unreadable > 0;
    return { isFound, content: listMessage(list, { isForAll: reader.is === 'channel', seal: parts.seal }) };
  };
  const show: Lookup['show'] = async (found, environment, reader, interaction) => {
    const choices = found.map((one) => choiceOf(one, environment, parts));
    const [only] = choices;
    if (only === undefined) return null;
    if (choices.length === 1) return showOne(only, reader, interaction);
    const areMore = choices.length > MOST_RECOGNISED;
    const shown = { areMore, audience: audienceOf(reader), now: parts.now(), seal: parts.seal };
    return foundAnswer(choiceMessage(choices.slice(0, MOST_RECOGNISED), shown));
  };
  return {
    answer: (text, environment, reader, interaction) =>
      show(recognise(text, parts.environments, MOST_RECOGNISED + 1), environment, reader, interaction),
    show,
  };
}

function choiceOf(
  { target, environment }: Recognised,
  asked: Environment,
  { environments }: LookupParts,
): LookupChoice {
  return { target, environment: environment === null ? asked : environmentNamed(environment, environments) };
}

/** Throws `ServiceError` if the service can't be read. */
export function listOf(request: EventListRequest, parts: LookupParts): Promise<EventList> {
  return listEvents(request, { ...parts, environment: environmentNamed(request.environment, parts.environments) });
}
