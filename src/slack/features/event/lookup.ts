import type { Button, ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import {
  isNotificationId,
  type LookupTarget,
  lookupTargetsIn,
  MOST_RECOGNISED,
  type Recognised,
  recognise,
} from '../../../lib/input/ids.ts';
import { plainCommand } from '../../../lib/input/slack-text.ts';
import type { Seal } from '../../../lib/seal.ts';
import type { FoundNothing } from '../../../lookups/event.ts';
import { type EventListRequest, listEvents, listRequest } from '../../../lookups/event-list.ts';
import type { SubscriptionReader } from '../../../lookups/lists.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  context,
  type MessageBlock,
  type MessageContent,
  message,
  section,
  whatNext,
} from '../../kit/blocks.ts';
import {
  type LookupRequest,
  lookUpButton,
  OPEN_FIND,
  runButton,
  type TopicRequest,
  topicButton,
} from '../../kit/buttons.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { environmentInput, type FormErrors, parseEnvironmentInput, textInput } from '../../kit/inputs.ts';
import { badge, code, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { formView, waitingView } from '../../kit/view.ts';
import { foundAnswer, type LookupAnswer } from '../../kit/words/lookup-answer.ts';
import { environmentIn, type Flow } from '../../router/command.ts';
import type {
  CommandInteraction,
  Interaction,
  MessageInteraction,
  SubmissionInteraction,
} from '../../router/interaction.ts';
import { textsIn } from '../../router/message-text.ts';
import type { Lookup } from '../../router/notif-command.ts';
import { cardFor } from '../../router/on-error.ts';
import { type Route, routesFor } from '../../router/route.ts';
import { filterNames, listButton, listMessage, listOf } from './events.ts';

/** A message to Notif without an ID is run as a command. */
export function lookupFlow(ctx: SlackCtx, lookup: Lookup, runCommand: RunCommand, commands: readonly string[]): Flow {
  const written = (interaction: MessageInteraction, seenBy: SeenBy) =>
    answerWritten({ ...ctx, lookup, runCommand, commands }, interaction, seenBy);
  const isCommand = ({ text }: MessageInteraction) =>
    idsToLookUp({ commands, environments: ctx.environments }, text).length === 0;
  const routes = [
    ...routesFor('everyone', [
      {
        surface: 'shortcut',
        callbackId: 'look_up_notification',
        type: 'message',
        answer: async (interaction) => {
          const environment = await environmentIn(ctx, interaction.channelId);
          const found = await lookup(
            recognise(interaction.messageText, ctx.environments, MOST_RECOGNISED + 1),
            environment,
          );
          await interaction.reply.show((found ?? foundAnswer(nothingToLookFor())).content);
        },
      },
      {
        surface: 'message',
        name: 'app_mention',
        // What people of other organizations would see is shown to the person, with [Share], which asks first.
        answer: async (interaction) => {
          const isForOne = isCommand(interaction) || (await ctx.channels.sharing(interaction.channelId)) !== 'none';
          await (isForOne
            ? written(interaction, 'person')
            : written({ ...interaction, reply: interaction.toEverybody }, 'channel'));
        },
      },
      { surface: 'message', name: 'message.im', answer: (interaction) => written(interaction, 'person') },
    ]),
    ...findRoutes(ctx, lookup),
  ];
  return { commands: [], routes };
}

type SeenBy = 'person' | 'channel';

function findRoutes(ctx: SlackCtx, lookup: Lookup): Route[] {
  const { environments } = ctx;
  const open = async (interaction: Interaction): Promise<void> =>
    void (await interaction.openModal(findView(environments, null)));
  return routesFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    {
      surface: 'view',
      callbackId: FIND,
      take: ({ valueIn }) => {
        const read = parseFind(valueIn, environments);
        if ('errors' in read) return { is: 'refused', errors: read.errors };
        const next = waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`);
        return { is: 'taken', next, answer: (interaction) => showFound(ctx, lookup, read, interaction) };
      },
    },
  ]);
}

/** If nothing is found or the lookup fails, the form stays filled in, below the reason. */
async function showFound(
  ctx: SlackCtx,
  lookup: Lookup,
  request: FindRequest,
  interaction: SubmissionInteraction,
): Promise<void> {
  const { isFound, content } = await answerFind(ctx, lookup, request);
  if (isFound) return interaction.reply.show(content);
  await interaction.modal.update(findView(ctx.environments, { request, above: content.blocks }));
}

async function answerFind(ctx: SlackCtx, lookup: Lookup, { found, environment }: FindRequest): Promise<LookupAnswer> {
  try {
    const answer = await lookup(found, environment);
    return answer ?? { isFound: false, content: nothingToLookFor() };
  } catch (error) {
    return { isFound: false, content: cardFor(ctx, error) };
  }
}

const FIND = 'lookup.find';
const FIND_TITLE = 'Find a notification';
const SOUGHT_BLOCK = 'lookup.find-sought';

/** `environment` is for those that don't name one. */
export interface FindRequest {
  readonly found: readonly Recognised[];
  readonly environment: Environment;
  readonly typed: string;
}

export interface FoundNothingBefore {
  readonly request: FindRequest;
  readonly above: readonly MessageBlock[];
}

/** `before` fills it with the previous request. */
function findView(environments: readonly Environment[], before: FoundNothingBefore | null): ModalView {
  return formView({
    callbackId: FIND,
    title: FIND_TITLE,
    submit: 'Find',
    privateMetadata: '',
    blocks: [
      ...(before === null ? [] : before.above),
      textInput({
        blockId: SOUGHT_BLOCK,
        label: 'What to look for',
        hint: 'The ID of an event, transaction, subscriber or topic, an email address, a link to the dashboard, or a text with several of them',
        isFocused: true,
        ...(before !== null && { initial: before.request.typed }),
      }),
      ...environmentInput(environments, before?.request.environment ?? environments[0], 'waits'),
    ],
  });
}

function parseFind(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): FindRequest | { readonly errors: FormErrors } {
  const typed = valueIn(SOUGHT_BLOCK) ?? '';
  try {
    refuseMasked(typed);
    return {
      typed,
      found: lookupTargetsIn(typed, environments, MOST_RECOGNISED + 1),
      environment: environmentNamed(parseEnvironmentInput(valueIn, environments), environments),
    };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [SOUGHT_BLOCK]: error.message } };
    throw error;
  }
}

/** On behalf of the person who wrote it. */
export type RunCommand = (interaction: CommandInteraction) => Promise<void>;

export interface WrittenCtx extends SlackCtx {
  readonly lookup: Lookup;
  readonly runCommand: RunCommand;
  /** The commands' names. */
  readonly commands: readonly string[];
}

const ENVIRONMENTS = /(?<![^\s,;(])env:\s*["“”'‘’]?([\w,-]{1,200})/gi;

async function answerWritten(ctx: WrittenCtx, interaction: MessageInteraction, seenBy: SeenBy): Promise<void> {
  const { text, channelId, reply, userId } = interaction;
  const ids = idsToLookUp(ctx, text);
  if (ids.length === 0) return runWritten(ctx, interaction);
  const names = [...text.matchAll(ENVIRONMENTS)].flatMap(([, list = '']) =>
    list.split(',').filter((one) => one !== ''),
  );
  const environment = await environmentIn(ctx, channelId, { env: names });
  const found = await ctx.lookup(ids, environment);
  if (found === null) return;
  await reply.show(seenBy === 'person' ? found.content : forEveryone(found.content, userId));
}

/** None if it begins with a command's word: those take IDs of their own. */
export function idsToLookUp(
  { commands, environments }: Pick<WrittenCtx, 'commands' | 'environments'>,
  text: string,
): readonly Recognised[] {
  const [first = ''] = plainCommand(text, commands).split(/\s+/);
  return commands.includes(first.toLowerCase()) ? [] : recognise(textsIn({ text }), environments, MOST_RECOGNISED + 1);
}

async function runWritten(ctx: WrittenCtx, interaction: MessageInteraction): Promise<void> {
  const { text, reply, userId, channelId, threadTs } = interaction;
  try {
    await ctx.runCommand({ text, reply, userId, channelId, threadTs, answerUrl: null, openModal: refuseModal });
  } catch (error) {
    if (!(error instanceof NoClickError)) throw error;
    await reply.show(formOfCommand(text, ctx.seal));
  }
}

async function refuseModal(): Promise<never> {
  throw new NoClickError();
}

/** A message can't open a form: Slack requires a click or a command. */
class NoClickError extends Error {
  override readonly name = 'NoClickError';

  constructor() {
    super('no form can be opened for a message');
  }
}

export function createLookup(ctx: SlackCtx, showEvent: (request: LookupRequest) => Promise<LookupAnswer>): Lookup {
  const showOne = async ({ target, environment }: LookupChoice) => {
    if (isNotificationId(target)) return showEvent({ environment: environment.name, target });
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
  return isNotificationId(target) ? code(target.id) : joined(filterNames({ [target.kind]: [target.id] }), '');
}

function choiceButton({ environment, target }: LookupChoice, now: Date, seal: Seal): Button {
  if (isNotificationId(target)) return lookUpButton({ environment: environment.name, target });
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
