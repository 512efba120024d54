import { setImmediate } from 'node:timers/promises';
import type { ExplainCause } from '../../domain/causes/explain-cause.ts';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { refuseOthers } from '../../domain/input/filters.ts';
import { eventIdOrTransaction } from '../../domain/input/ids.ts';
import type { FoundNothing, LookedUp } from '../../domain/lookups/looked-up.ts';
import { seenEvent } from '../../domain/lookups/seen.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { EventAnswer } from '../../domain/service/event-answer.ts';
import type { Call } from '../../domain/service/query.ts';
import { type EventLookup, lookUpEvent } from '../../use-cases/lookups/look-up-event.ts';
import { LOOK_UP, type LookupRequest, readLookup } from '../blocks/buttons/lookup-button.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { resultView } from '../blocks/view.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import type { Asked, Command } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionGesture, CommandGesture, Gesture, Told } from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { type SharingParts, shareDoors } from '../interactions/share-route.ts';
import { DASHBOARD, EXPLAIN, RAW, REFRESH, SHARE } from './card-message.ts';
import { EXPLAIN_TITLE, explainedView } from './explain-modal.ts';
import { lookedUpMessage } from './message.ts';
import { MORE, type MoreRequest, readMore } from './more-message.ts';
import { NEXT, PREVIOUS, RAW_TITLE, type RawPage, rawView, readRawPage } from './raw-modal.ts';
import { restOf } from './rest-message.ts';
import { transactionDoors } from './transaction-listeners.ts';

export interface EventAnswers {
  /** The service's answer about an event as it came; null where the service has it no more. */
  eventAnswer(event: Pick<TriggeredEvent, 'id' | 'transactionId'>, call: Call): Promise<EventAnswer | null>;
}

export interface EventParts extends ErrorParts, SharingParts {
  /** At least one; the first is meant where none is named. */
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => EventLookup & EventAnswers;
  readonly explainCause: ExplainCause;
  readonly now: () => Date;
}

/** Answers for an ID that no event and no transaction of its environment has. */
export type AnswerUnknown = (nothing: FoundNothing, reader: Reader) => Promise<LookupAnswer>;

interface AnsweringEventParts extends EventParts {
  readonly answerUnknown: AnswerUnknown;
}

/** `/notif event <id>` */
export function eventCommand(parts: AnsweringEventParts): Command {
  return {
    word: 'event',
    usage: '<event id, transaction id or dashboard link>',
    about: 'what happened to a notification, step by step',
    examples: ['65f2a1c0d4e5f60718293a4b', 'txn_8f2c91'],
    for: 'everyone',
    answer: (asked, gesture) => answerCommand(asked, gesture, parts),
  };
}

/** The button that leads to an event, and those of its card. */
export function eventDoors(parts: AnsweringEventParts): Door[] {
  return [
    ...doorsFor('everyone', [
      actionDoor(LOOK_UP, readLookup, (request, gesture) => show(request, gesture, parts)),
      actionDoor(REFRESH, readLookup, (request, gesture) => refresh(request, gesture, parts)),
      ...shareDoors(
        SHARE,
        readLookup,
        async (request, { userId }) => (await answerOf(request, { is: 'channel', sharedBy: userId }, parts)).content,
        parts,
      ),
      actionDoor(MORE, readMore, (more, gesture) => showRest(more, gesture, parts)),
      actionDoor(EXPLAIN, readLookup, (request, gesture) => openExplained(request, gesture, parts)),
      actionDoor(RAW, readLookup, (request, gesture) => openRaw({ request, page: 0 }, gesture, parts)),
      actionDoor(PREVIOUS, readRawPage, (page, gesture) => turnRaw(page, gesture, parts)),
      actionDoor(NEXT, readRawPage, (page, gesture) => turnRaw(page, gesture, parts)),
      // The link opens by itself; Slack tells of the click all the same.
      { surface: 'action', id: DASHBOARD, answer: async () => {} },
    ]),
    ...transactionDoors(parts),
  ];
}

async function answerCommand(
  { words, filters, environment }: Asked,
  gesture: CommandGesture,
  parts: AnsweringEventParts,
) {
  refuseOthers(filters, ['env'], '/notif event');
  const target = eventIdOrTransaction(words.join(' '));
  await show({ environment: environment.name, target }, gesture, parts);
}

async function show(request: LookupRequest, gesture: Gesture, parts: AnsweringEventParts): Promise<void> {
  await gesture.reply.show((await answerOf(request, readerOf(gesture), parts)).content);
}

async function refresh(request: LookupRequest, gesture: Gesture, parts: AnsweringEventParts): Promise<void> {
  await gesture.reply.replace((await answerOf(request, readerOf(gesture), parts)).content);
}

async function showRest(more: MoreRequest, gesture: ActionGesture, parts: EventParts): Promise<void> {
  const found = await lookUp(more.request, parts);
  const reader = readerOf(gesture);
  await gesture.reply.show(
    found.found === 'event'
      ? restOf(seenEvent(found, audienceOf(reader)), more, reader, parts.now())
      : lookedUpMessage(found, reader),
  );
}

/** The answer to what another flow was asked for, for everybody in a conversation or for the person who asked. */
export function answerFor(
  request: LookupRequest,
  audience: Extract<Reader, { is: 'person' | 'channel' }>,
  gesture: Told,
  parts: AnsweringEventParts,
): Promise<LookupAnswer> {
  return answerOf(request, audience.is === 'channel' ? audience : readerOf(gesture), parts);
}

function readerOf({ reply }: Told): Reader {
  return { is: reply.share === null ? 'in-modal' : 'person' };
}

async function answerOf(request: LookupRequest, reader: Reader, parts: AnsweringEventParts): Promise<LookupAnswer> {
  const found = await lookUp(request, parts);
  return found.found === 'nothing' ? parts.answerUnknown(found, reader) : foundAnswer(lookedUpMessage(found, reader));
}

function lookUp(
  { environment: name, target }: LookupRequest,
  { environments, serviceOf, explainCause, now }: EventParts,
): Promise<LookedUp> {
  const environment = environmentNamed(name, environments);
  return lookUpEvent(target, { environment, service: serviceOf(environment.name), explainCause, now });
}

async function openExplained(request: LookupRequest, gesture: ActionGesture, parts: EventParts): Promise<void> {
  await inModal(
    gesture,
    EXPLAIN_TITLE,
    async () => {
      const found = await lookUp(request, parts);
      if (found.found === 'event') return explainedView(seenEvent(found, 'requester'));
      return resultView(lookedUpMessage(found, { is: 'in-modal' }), EXPLAIN_TITLE);
    },
    parts,
  );
}

async function openRaw(page: RawPage, gesture: ActionGesture, parts: EventParts): Promise<void> {
  await inModal(gesture, RAW_TITLE, () => rawPage(page, parts), parts);
}

async function turnRaw(page: RawPage, { modal }: ActionGesture, parts: EventParts): Promise<void> {
  await modal?.update(await rawPage(page, parts));
}

async function rawPage(page: RawPage, parts: EventParts) {
  const found = await lookUp(page.request, parts);
  if (found.found !== 'event') return resultView(lookedUpMessage(found, { is: 'in-modal' }), RAW_TITLE);
  const answer = await parts.serviceOf(found.environment.name).eventAnswer(found.event, { who: 'person' });
  if (answer === null) throw new InputError('event', 'The service no longer has this event.');
  return rawView(await answer.masked(setImmediate), page);
}
