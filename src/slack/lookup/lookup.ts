import type { Button } from '@slack/types';
import type { Seal } from '../../domain/access/seal.ts';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type LookupTarget, MOST_RECOGNISED, type Recognised, recognise } from '../../domain/input/lookup-target.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { maskEmail } from '../../domain/text/mask.ts';
import { isContact, shownId } from '../../domain/text/shown-id.ts';
import { type FoundNothing, targetOf } from '../../lookups/event.ts';
import { type EventList, type EventListRequest, type EventOwner, listEvents } from '../../lookups/event-list.ts';
import { outcomeOf } from '../../lookups/outcome.ts';
import type { SubscriptionReader } from '../../lookups/topic.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, type MessageContent, message, option, section } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import {
  isForEveryone,
  LOOK_UP,
  type LookupRequest,
  loadMoreButton,
  lookUpButton,
  runButton,
  type TopicRequest,
  topicButton,
  writeLookup,
} from '../blocks/buttons.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { outcomeWord } from '../blocks/incident/verdict-word.ts';
import { countWords, type ListRow, listMessage as listMessageOf } from '../blocks/list.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import type { SlackCtx } from '../ctx.ts';
import type { Requester } from '../interactions/interaction.ts';

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

export function createLookup(ctx: SlackCtx, showEvent: ShowEvent): Lookup {
  const showOne = async ({ target, environment }: LookupChoice, reader: Reader, interaction: Requester) => {
    if (target.kind === 'event' || target.kind === 'transaction')
      return showEvent({ environment: environment.name, target }, reader, interaction);
    const request = { environment: environment.name, owner: target, before: ctx.now(), end: null, from: 0 };
    const list = await listOf(ctx, request);
    const isFound = list.events.length + list.unreadable > 0;
    return { isFound, content: listMessage(list, { isForAll: reader.is === 'channel', seal: ctx.seal }) };
  };
  const show: Lookup['show'] = async (found, environment, reader, interaction) => {
    const choices = found.map((recognised) => choiceOf(ctx, recognised, environment));
    const [only] = choices;
    if (only === undefined) return null;
    if (choices.length === 1) return showOne(only, reader, interaction);
    const areMore = choices.length > MOST_RECOGNISED;
    const shown = { areMore, audience: audienceOf(reader), now: ctx.now(), seal: ctx.seal };
    return foundAnswer(choiceMessage(choices.slice(0, MOST_RECOGNISED), shown));
  };
  return {
    answer: (text, environment, reader, interaction) =>
      show(recognise(text, ctx.environments, MOST_RECOGNISED + 1), environment, reader, interaction),
    show,
  };
}

function choiceOf({ environments }: SlackCtx, { target, environment }: Recognised, usual: Environment): LookupChoice {
  return { target, environment: environment === null ? usual : environmentNamed(environment, environments) };
}

/** Throws `ServiceError` if the service can't be read. */
export function listOf(ctx: SlackCtx, request: EventListRequest): Promise<EventList> {
  return listEvents({ ...ctx, environment: environmentNamed(request.environment, ctx.environments) }, request);
}

/** Another flow's answer. */
export type ShowTopic = (request: TopicRequest, reader: Reader) => Promise<MessageContent>;

/** With that subscriber's events or that topic, or a choice of both. Throws `ServiceError` if they can't be read. */
export async function answerUnknownId(
  { serviceOf, now, seal }: SlackCtx,
  { target: { id }, environment }: FoundNothing,
  reader: Reader,
  showTopic: ShowTopic,
): Promise<LookupAnswer> {
  const ofSubscriber = subscriberRequest(id, environment, now());
  const [list, isTopic] = await Promise.all([
    listEvents({ serviceOf, now, environment }, ofSubscriber),
    hasSubscriptions(id, serviceOf(environment.name)),
  ]);
  const isSubscriber = list.events.length + list.unreadable > 0;
  if (isSubscriber && isTopic) return foundAnswer(bothMessage(id, ofSubscriber, environment, audienceOf(reader), seal));
  if (isSubscriber) return foundAnswer(listMessage(list, { isForAll: reader.is === 'channel', seal }));
  if (isTopic) return foundAnswer(await showTopic(topicRequest(id, environment), reader));
  const nothing = mrkdwn`No event, transaction, subscriber or topic ${idCode(id, audienceOf(reader))} in ${badge(environment)}.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. Upper and lower case matter, and so does ${code('env:')}.`;
  return { isFound: false, content: whatNext(nothing, why) };
}

export function subscriberRequest(id: string, { name }: Environment, now: Date): EventListRequest {
  return { environment: name, owner: { kind: 'subscriber', id }, before: now, end: null, from: 0 };
}

function topicRequest(id: string, { name }: Environment): TopicRequest {
  return { environment: name, question: { topicKey: id, subscriberId: null, order: 'newest', after: null } };
}

/** A button's value is part of the message: none would show everyone a contact. */
export function bothMessage(
  id: string,
  ofSubscriber: EventListRequest,
  environment: Environment,
  audience: Audience,
  seal: Seal,
): MessageContent {
  const which = mrkdwn`${idCode(id, audience)} is the ID of a subscriber and of a topic in ${badge(environment)}.`;
  const hidesTopic = audience === 'everyone' && isContact(id);
  const topic = hidesTopic ? [] : [topicButton(topicRequest(id, environment))];
  return message(which, [section(which), ...actions([listButton('View events', ofSubscriber, seal), ...topic])]);
}

/** A service may return an empty page for an unknown topic: one without subscriptions can't be told apart from it. */
async function hasSubscriptions(key: string, service: SubscriptionReader): Promise<boolean> {
  try {
    const page = await service.listTopicSubscriptions(key, { limit: 1 }, { who: 'person' });
    return page !== null && page.items.length + page.unreadable.length + (page.totalCount ?? 0) > 0;
  } catch (error) {
    // A key that can't be part of a URL belongs to no topic.
    if (error instanceof InputError) return false;
    throw error;
  }
}

export interface LookupChoice {
  readonly environment: Environment;
  readonly target: LookupTarget;
}

export interface ChoiceShown {
  /** Whether the text contains more of them. */
  readonly areMore: boolean;
  readonly audience: Audience;
  readonly now: Date;
  /** For an email address: Slack stores it in a button. */
  readonly seal: Seal;
}

export function choiceMessage(
  choices: readonly LookupChoice[],
  { areMore, audience, now, seal }: ChoiceShown,
): MessageContent {
  const count = areMore ? mrkdwn`More than ${choices.length} IDs` : mrkdwn`${choices.length} IDs`;
  const title = mrkdwn`${count} are in this text. Which one?`;
  const left = areMore ? [context(mrkdwn`These are the first ${MOST_RECOGNISED}. Ask for another by itself.`)] : [];
  return message(title, [
    section(title),
    ...choices.map((choice) =>
      section(mrkdwn`${badge(choice.environment)} · ${nameOf(choice, audience)}`, choiceButton(choice, now, seal)),
    ),
    ...left,
  ]);
}

function nameOf({ target }: LookupChoice, audience: Audience): Markup {
  return target.kind === 'subscriber' || target.kind === 'email'
    ? ownerName(target, audience)
    : idCode(target.id, audience);
}

function choiceButton({ environment: { name: environment }, target }: LookupChoice, now: Date, seal: Seal): Button {
  if (target.kind === 'event' || target.kind === 'transaction') return lookUpButton({ environment, target: target });
  return listButton('Look up', { environment, owner: target, before: now, end: null, from: 0 }, seal);
}

export function nothingToLookFor(): MessageContent {
  const what = mrkdwn`There is no ID in this text.`;
  const next = mrkdwn`Notif looks for event IDs (24 hex digits), transaction, subscriber and topic IDs with a digit in them, links to the dashboard, email addresses and ${code('subscriber:…')}. For any other ID: ${code('/notif event <id>')}. For everything else: ${code('/notif help')}.`;
  return whatNext(what, next);
}

export function formOfCommand(command: string, seal: Seal): MessageContent {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return message(what, [section(what), ...actions(runButton('Open form', command, seal))]);
}

export const LIST = 'lookup.list';

export interface ListShown {
  readonly isForAll: boolean;
  /** For an email address, or an ID that is a contact: Slack stores it in a button. */
  readonly seal: Seal;
}

/** If everybody sees it, more are only shown to who asks for them. */
export function listMessage(list: EventList, { isForAll, seal }: ListShown): MessageContent {
  const { environment, request, events, unreadable, next } = list;
  const { owner, before, from } = request;
  const audience = isForAll ? 'everyone' : 'requester';
  const title = mrkdwn`${badge(environment)} · ${ownerName(owner, audience)}`;
  if (events.length + unreadable + from === 0 && next === null) {
    return whatNext(
      mrkdwn`${title} has no events that the service still keeps.`,
      mrkdwn`Upper and lower case matter, and so does ${code('env:')}.`,
    );
  }
  const isAll = (shown: number) => shown === events.length && next === null;
  return listMessageOf({
    caption: (shown) => {
      const total = isAll(shown) ? from + shown : 'more';
      return mrkdwn`${title} · ${countWords('event', { before: from, shown, total })}`;
    },
    columns: ['Transaction', 'Outcome', 'Workflow', ...(owner.kind === 'email' ? ['Subscriber'] : []), 'When', 'Cause'],
    rows: events.map((event) => rowOf(event, request, audience)),
    notes: [
      mrkdwn`As of ${time(before, 'day')}${orderWords(events.map(({ event }) => event))}`,
      ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ],
    lookUp: LOOK_UP,
    buttons: (shown) => {
      const after = shown < events.length ? from + shown : next;
      return loadMoreButton(LIST, after === null ? null : writeList({ ...request, from: after }, seal));
    },
  });
}

function ownerName({ kind, id }: EventOwner, audience: Audience): Markup {
  return kind === 'email' ? mrkdwn`Email ${maskEmail(id)}` : mrkdwn`Subscriber ${idCode(id, audience)}`;
}

export function listButton(label: string, request: EventListRequest, seal: Seal): Button {
  return button(label, LIST, writeList(request, seal));
}

/** Marks a subscriber whose ID is encrypted like an email address. */
const SEALED = 'sealed-subscriber';

function writeList({ environment, owner: { kind, id }, before, end, from }: EventListRequest, seal: Seal): string {
  const [written, kept] = keptOwner(kind, id, seal);
  return writeValue([
    environment,
    written,
    kept,
    String(before.getTime()),
    String(from),
    ...(end === null ? [] : [String(end.getTime())]),
  ]);
}

function keptOwner(kind: EventOwner['kind'], id: string, seal: Seal): readonly [string, string] {
  if (kind === 'email') return [kind, seal.close(id)];
  return isContact(id) ? [SEALED, seal.close(id)] : [kind, id];
}

export function parseList(value: string, seal: Seal): EventListRequest | null {
  const [environment, kind, id, before = '', from = '', end, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  if (!/^\d{1,15}$/.test(before) || !/^\d{1,6}$/.test(from)) return null;
  if (end !== undefined && !/^\d{1,15}$/.test(end)) return null;
  const owner = ownerOf(kind, id, seal);
  const times = { before: new Date(Number(before)), end: end === undefined ? null : new Date(Number(end)) };
  return owner && { environment, owner, ...times, from: Number(from) };
}

function ownerOf(kind: string | undefined, kept: string, seal: Seal): EventOwner | null {
  if (kind === 'subscriber') return { kind, id: kept };
  const id = seal.open(kept);
  if (id === null) return null;
  if (kind === SEALED) return { kind: 'subscriber', id };
  return kind === 'email' ? { kind, id } : null;
}

type Found = EventList['events'][number];

/** Several subscribers can have the same address. */
function rowOf({ event, judgement }: Found, { environment, owner }: EventListRequest, audience: Audience): ListRow {
  const request = { environment, target: targetOf(event) };
  const outcome = outcomeWord(outcomeOf(event, judgement));
  const transaction = shownId(event.transactionId, audience);
  const whom = event.subscriber === null ? '' : shownId(event.subscriber.subscriberId, audience);
  const isShown = audience === 'requester' || isForEveryone(request);
  return {
    cells: [
      transaction,
      outcome,
      shownId(event.workflow?.identifier ?? 'deleted workflow', audience),
      ...(owner.kind === 'email' ? [whom] : []),
      time(event.createdAt, 'day'),
      causeWords(judgement),
    ],
    choice: isShown ? option(`${outcome} · ${transaction}`, writeLookup(request)) : null,
  };
}

function causeWords({ verdict, failures }: Found['judgement']): string {
  const failure = failures.find((failure) => failure.verdict === verdict);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

/** As the rows' times show it: the service doesn't promise an order of its lists. */
function orderWords(rows: readonly { readonly createdAt: Date | null }[]): Markup {
  const times = rows.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  if (first === last) return mrkdwn``;
  return first > last ? mrkdwn`, the newest first` : mrkdwn`, the oldest first`;
}
