import type { Button } from '@slack/types';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { type LookupTarget, MOST_RECOGNISED, type Recognised } from '../../../lib/input/lookup-target.ts';
import type { Seal } from '../../../lib/seal.ts';
import type { FoundNothing } from '../../../lookups/event.ts';
import { type EventList, type EventListRequest, listEvents, listRequest } from '../../../lookups/event-list.ts';
import type { SubscriptionReader } from '../../../lookups/topic.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, context, type MessageContent, message, section, whatNext } from '../../kit/blocks.ts';
import { type LookupRequest, lookUpButton, runButton, type TopicRequest, topicButton } from '../../kit/buttons.ts';
import { badge, code, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { foundAnswer, type LookupAnswer } from '../../kit/words/lookup-answer.ts';
import type { Lookup } from '../../router/notif-command.ts';
import { filterNames, listButton, listMessage } from './events-message.ts';

export function createLookup(ctx: SlackCtx, showEvent: (request: LookupRequest) => Promise<LookupAnswer>): Lookup {
  const showOne = async ({ target, environment }: LookupChoice) => {
    if (target.kind === 'event' || target.kind === 'transaction')
      return showEvent({ environment: environment.name, target });
    const list = await listOf(ctx, listRequest(environment, { [target.kind]: [target.id] }, ctx.now()));
    const isFound = list.events.length + list.unreadable > 0;
    return { isFound, content: listMessage(list, ctx.seal) };
  };
  return async (found, environment) => {
    const choices = found.map((recognised) => choiceOf(ctx, recognised, environment));
    const [only] = choices;
    if (only === undefined) return null;
    if (choices.length === 1) return showOne(only);
    const areMore = choices.length > MOST_RECOGNISED;
    const shown = { areMore, now: ctx.now(), seal: ctx.seal };
    return foundAnswer(choiceMessage(choices.slice(0, MOST_RECOGNISED), shown));
  };
}

function choiceOf({ environments }: SlackCtx, { target, environment }: Recognised, usual: Environment): LookupChoice {
  return { target, environment: environment === null ? usual : environmentNamed(environment, environments) };
}

/** Throws `ServiceError` if the service can't be read. */
export function listOf(ctx: SlackCtx, request: EventListRequest): Promise<EventList> {
  return listEvents({ ...ctx, environment: environmentNamed(request.environment, ctx.environments) }, request);
}

/** With that subscriber's events or that topic, or a choice of both. Throws `ServiceError` if they can't be read. */
export async function answerUnknownId(
  { serviceOf, now, seal }: SlackCtx,
  { target: { id }, environment }: FoundNothing,
  showTopic: (request: TopicRequest) => Promise<MessageContent>,
): Promise<LookupAnswer> {
  const ofSubscriber = listRequest(environment, { subscriber: [id] }, now());
  const [list, isTopic] = await Promise.all([
    listEvents({ serviceOf, now, environment }, ofSubscriber),
    hasSubscriptions(id, serviceOf(environment.name)),
  ]);
  const isSubscriber = list.events.length + list.unreadable > 0;
  if (isSubscriber && isTopic) return foundAnswer(bothMessage(id, ofSubscriber, environment, seal));
  if (isSubscriber) return foundAnswer(listMessage(list, seal));
  if (isTopic) return foundAnswer(await showTopic(topicRequest(id, environment)));
  const nothing = mrkdwn`No event, transaction, subscriber or topic ${code(id)} in ${badge(environment)}.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. Upper and lower case matter, and so does ${code('env:')}.`;
  return { isFound: false, content: whatNext(nothing, why) };
}

function topicRequest(id: string, { name }: Environment): TopicRequest {
  return { environment: name, question: { topicKey: id, subscriberId: null, order: 'newest', after: null } };
}

export function bothMessage(
  id: string,
  ofSubscriber: EventListRequest,
  environment: Environment,
  seal: Seal,
): MessageContent {
  const which = mrkdwn`${code(id)} is the ID of a subscriber and of a topic in ${badge(environment)}.`;
  const buttons = [listButton('View events', ofSubscriber, seal), topicButton(topicRequest(id, environment))];
  return message(which, [section(which), ...actions(buttons)]);
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
  readonly now: Date;
  /** For an email address: Slack stores it in a button. */
  readonly seal: Seal;
}

export function choiceMessage(choices: readonly LookupChoice[], { areMore, now, seal }: ChoiceShown): MessageContent {
  const count = areMore ? mrkdwn`More than ${choices.length} IDs` : mrkdwn`${choices.length} IDs`;
  const title = mrkdwn`${count} are in this text. Which one?`;
  const left = areMore ? [context(mrkdwn`These are the first ${MOST_RECOGNISED}. Ask for another by itself.`)] : [];
  return message(title, [
    section(title),
    ...choices.map((choice) =>
      section(mrkdwn`${badge(choice.environment)} · ${nameOf(choice)}`, choiceButton(choice, now, seal)),
    ),
    ...left,
  ]);
}

function nameOf({ target }: LookupChoice): Markup {
  const isFilter = target.kind === 'subscriber' || target.kind === 'email';
  return isFilter ? joined(filterNames({ [target.kind]: [target.id] }), '') : code(target.id);
}

function choiceButton({ environment, target }: LookupChoice, now: Date, seal: Seal): Button {
  if (target.kind === 'event' || target.kind === 'transaction')
    return lookUpButton({ environment: environment.name, target });
  return listButton('Look up', listRequest(environment, { [target.kind]: [target.id] }, now), seal);
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
