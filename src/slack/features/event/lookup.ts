import type { ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { eventGone, InputError } from '../../../lib/errors.ts';
import { commandText, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import {
  eventIdOrTransaction,
  isNotificationId,
  type LookupTarget,
  lookupTargetsIn,
  MOST_RECOGNISED,
  type Recognised,
  recognise,
} from '../../../lib/input/ids.ts';
import { plainCommand } from '../../../lib/input/slack-text.ts';
import { type FoundNothing, incidentsOfEvent, lookUpEvent } from '../../../lookups/event.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  context,
  type MessageBlock,
  type MessageContent,
  message,
  noted,
  section,
  whatNext,
} from '../../kit/blocks.ts';
import { LOOK_UP, type LookupRequest, lookUpButton, OPEN_FIND, parseLookup, runButton } from '../../kit/buttons.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { environmentInput, parseEnvironmentInput, textInput } from '../../kit/inputs.ts';
import { badge, code, joined, mrkdwn } from '../../kit/text.ts';
import { formView, waitingView } from '../../kit/view.ts';
import { CASE_MATTERS, filterNames } from '../../kit/words/filter-words.ts';
import {
  type Command,
  type CommandLine,
  environmentIn,
  type Flow,
  foundAnswer,
  type Lookup,
  type LookupAnswer,
} from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  Interaction,
  MessageInteraction,
} from '../../router/interaction.ts';
import { textsIn } from '../../router/message-text.ts';
import { cardFor } from '../../router/on-error.ts';
import { actionRoute, answerRoutes, type Route, routesFor, type Submitted } from '../../router/route.ts';
import { shareRoutes } from '../../router/share.ts';
import { type CardAct, DASHBOARD, eventCard, MENU, parseCardAct, SHARE } from './card-message.ts';
import { eventsAnswer, transactionCard } from './events.ts';
import { messagesCommand } from './messages.ts';
import { RAW_TITLE, rawView } from './raw.ts';

type ShowTopic = (line: CommandLine) => Promise<LookupAnswer>;

export function lookupFlow(ctx: SlackCtx, showTopic: ShowTopic): Flow & { lookup: Lookup } {
  const answer = async ({ environment: name, target }: LookupRequest): Promise<LookupAnswer> => {
    const environment = environmentNamed(name, ctx.environments);
    const found = await lookUpEvent({ ...ctx, environment, service: ctx.serviceOf(environment.name) }, target);
    if (found.found === 'nothing') return answerUnknownId(ctx, found, showTopic);
    if (found.found === 'transaction') return foundAnswer(transactionCard(found));
    return foundAnswer(eventCard(found, await incidentsOfEvent(ctx, found)));
  };
  const contentOf = async (request: LookupRequest) => (await answer(request)).content;
  const lookup: Lookup = async (found, usual) => {
    const choices = found.map(({ target, environment: name }) => {
      return { target, environment: name === null ? usual : environmentNamed(name, ctx.environments) };
    });
    const [only, ...others] = choices;
    if (only === undefined) return null;
    if (others.length > 0) return foundAnswer(choiceMessage(choices));
    const { target, environment } = only;
    return isNotificationId(target)
      ? answer({ environment: environment.name, target })
      : eventsAnswer(ctx, lineOf(environment, { [target.kind]: [target.id] }));
  };
  const event: Command = {
    word: 'event',
    usage: '<event ID, transaction ID or dashboard link>',
    about: 'what happened to a notification, step by step',
    examples: ['65f2a1c0d4e5f60718293a4b', 'txn_8f2c91'],
    for: 'everyone',
    filters: ['tx', 'env'],
    follows: 'ids',
    answer: async ({ words, filters, environment }, { reply }) => {
      const typed = [...words, onlyValue('tx', filters) ?? ''].join(' ');
      refuseMasked(typed);
      await reply.show(await contentOf({ environment: environment.name, target: eventIdOrTransaction(typed) }));
    },
  };
  const act = async ({ act, ...request }: CardAct, interaction: ActionInteraction) => {
    if (act === 'refresh') return interaction.reply.replace(await contentOf(request));
    const environment = environmentNamed(request.environment, ctx.environments);
    const { id } = request.target;
    if (act === 'raw') return inModal(ctx, interaction, RAW_TITLE, () => rawEvent(ctx, environment, id));
    await messagesCommand(ctx).answer(lineOf(environment, { tx: [id] }), { ...interaction, text: '' });
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([LOOK_UP], parseLookup, contentOf),
    ...shareRoutes(ctx, SHARE, parseLookup, contentOf),
    actionRoute(MENU, parseCardAct, act),
    // The link opens by itself; Slack reports the click anyway.
    { surface: 'action', id: DASHBOARD, answer: async () => {} },
    {
      surface: 'shortcut',
      callbackId: 'look_up_notification',
      type: 'message',
      answer: async ({ text, channelId, reply }) => {
        const ids = recognise(text, ctx.environments);
        const found = await lookup(ids, await environmentIn(ctx, channelId));
        await reply.show(found?.content ?? nothingToLookFor());
      },
    },
    ...findRoutes(ctx, lookup),
  ]);
  return { commands: [event], routes, lookup };
}

async function rawEvent(ctx: SlackCtx, environment: Environment, id: string): Promise<ModalView> {
  const answer = await ctx.serviceOf(environment.name).eventAnswer(id, PERSON);
  if (answer === null) throw eventGone();
  return rawView(answer);
}

function lineOf(environment: Environment, filters: FilterMap, ...words: readonly string[]): CommandLine {
  return { words, filters, environment, timeZone: 'UTC' };
}

async function answerUnknownId(
  ctx: SlackCtx,
  { target: { id }, environment }: FoundNothing,
  showTopic: ShowTopic,
): Promise<LookupAnswer> {
  const [events, topic] = await Promise.all([
    eventsAnswer(ctx, lineOf(environment, { subscriber: [id] })),
    showTopic(lineOf(environment, {}, id)),
  ]);
  const also = mrkdwn`It's also a topic: ${code(`/notif topic ${id}`)}`;
  if (events.isFound) return topic.isFound ? foundAnswer(noted(events.content, also)) : events;
  if (topic.isFound) return topic;
  const nothing = mrkdwn`No event, transaction, subscriber or topic ${code(id)} in ${badge(environment)}.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. ${CASE_MATTERS}`;
  return { isFound: false, content: whatNext(nothing, why) };
}

type LookupChoice = { environment: Environment; target: LookupTarget };

export function choiceMessage(choices: readonly LookupChoice[]): MessageContent {
  const shown = choices.slice(0, MOST_RECOGNISED);
  const areMore = shown.length < choices.length;
  const title = mrkdwn`${areMore ? 'More than ' : ''}${shown.length} IDs are in this text. Which one?`;
  const left = areMore ? [context(mrkdwn`These are the first ${MOST_RECOGNISED}. Ask for another by itself.`)] : [];
  return message(title, [
    section(title),
    ...shown.map(({ environment, target }) => {
      const { name } = environment;
      if (isNotificationId(target))
        return section(mrkdwn`${badge(environment)} · ${code(target.id)}`, lookUpButton({ environment: name, target }));
      const filter = { [target.kind]: [target.id] };
      const lookUp = runButton('Look up', commandText(['events'], { ...filter, env: [name] }));
      return section(mrkdwn`${badge(environment)} · ${joined(filterNames(filter), '')}`, lookUp);
    }),
    ...left,
  ]);
}

function nothingToLookFor(): MessageContent {
  const what = mrkdwn`There is no ID in this text.`;
  const next = mrkdwn`It can be an ID with a digit in it, a link to the dashboard, an email address or ${code('subscriber:…')}. Any other ID: ${code('/notif event <id>')}.`;
  return whatNext(what, next);
}

const FIND = 'lookup.find';
const FIND_TITLE = 'Find a notification';
const SOUGHT_BLOCK = 'lookup.find-sought';

function findRoutes(ctx: SlackCtx, lookup: Lookup): Route[] {
  const open = async (interaction: Interaction) => void (await interaction.openModal(findView(ctx, null)));
  return routesFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    { surface: 'view', callbackId: FIND, take: (view) => takeFind(ctx, lookup, view) },
  ]);
}

function takeFind(ctx: SlackCtx, lookup: Lookup, { valueIn }: FilledView): Submitted {
  const { environments } = ctx;
  const typed = valueIn(SOUGHT_BLOCK) ?? '';
  try {
    refuseMasked(typed);
    const found = lookupTargetsIn(typed, environments);
    const environment = environmentNamed(parseEnvironmentInput(valueIn, environments), environments);
    return {
      is: 'taken',
      next: waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`),
      answer: async ({ reply, modal }) => {
        const failed = (error: unknown) => ({ isFound: false, content: cardFor(ctx, error) });
        const answer = await lookup(found, environment).catch(failed);
        if (answer?.isFound) return reply.show(answer.content);
        const { blocks } = answer?.content ?? nothingToLookFor();
        await modal.update(findView(ctx, { typed, environment, above: blocks }));
      },
    };
  } catch (error) {
    if (error instanceof InputError) return { is: 'refused', errors: { [SOUGHT_BLOCK]: error.message } };
    throw error;
  }
}

type Sought = { typed: string; environment: Environment; above: readonly MessageBlock[] };

function findView({ environments }: SlackCtx, before: Sought | null): ModalView {
  return formView({
    callbackId: FIND,
    title: FIND_TITLE,
    submit: 'Look up',
    privateMetadata: '',
    blocks: [
      ...(before?.above ?? []),
      textInput({
        blockId: SOUGHT_BLOCK,
        label: 'What to look for',
        hint: 'IDs, email addresses or links, also in a longer text',
        isFocused: true,
        ...(before !== null && { initial: before.typed }),
      }),
      ...environmentInput(environments, before?.environment ?? environments[0], 'waits'),
    ],
  });
}

type RunCommand = (interaction: CommandInteraction) => Promise<void>;

/** What people write to Notif: IDs, or a command. */
export function writtenRoutes(
  ctx: SlackCtx,
  lookup: Lookup,
  runCommand: RunCommand,
  commands: readonly string[],
): Route[] {
  const answerWritten = async (interaction: MessageInteraction, isMention: boolean) => {
    const { text, channelId, userId, reply, toEverybody } = interaction;
    const ids = idsToLookUp(text, commands, ctx.environments);
    if (ids.length === 0) return runWritten(runCommand, interaction);
    const env = [...text.matchAll(ENVIRONMENTS)].flatMap(([, list = '']) =>
      list.split(',').filter((name) => name !== ''),
    );
    const found = await lookup(ids, await environmentIn(ctx, channelId, { env }));
    if (found === null) return;
    // [Share] asks first where other organizations read along.
    const isForAll = isMention && (await ctx.channels.sharing(channelId)) === 'none';
    await (isForAll ? toEverybody.show(forEveryone(found.content, userId)) : reply.show(found.content));
  };
  return routesFor('everyone', [
    { surface: 'message', name: 'app_mention', answer: (interaction) => answerWritten(interaction, true) },
    { surface: 'message', name: 'message.im', answer: (interaction) => answerWritten(interaction, false) },
  ]);
}

const ENVIRONMENTS = /(?<![^\s,;(])env:\s*["“”'‘’]?([\w,-]{1,200})/gi;

export function idsToLookUp(
  text: string,
  commands: readonly string[],
  environments: readonly Environment[],
): readonly Recognised[] {
  const [first = ''] = plainCommand(text, commands).split(/\s+/);
  return commands.includes(first.toLowerCase()) ? [] : recognise(textsIn({ text }), environments);
}

/** Slack opens no forms after a message. */
class NoClickError extends Error {
  override readonly name = 'NoClickError';
}

async function runWritten(runCommand: RunCommand, interaction: MessageInteraction): Promise<void> {
  const { text, reply, userId, channelId, threadTs } = interaction;
  const openModal = () => Promise.reject(new NoClickError());
  try {
    await runCommand({ text, reply, userId, channelId, threadTs, answerUrl: null, openModal });
  } catch (error) {
    if (!(error instanceof NoClickError)) throw error;
    await reply.show(formOfCommand(text));
  }
}

export function formOfCommand(command: string): MessageContent {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return message(what, [section(what), ...actions([runButton('Open form', command)])]);
}
