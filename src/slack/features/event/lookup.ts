import { whyNoChoice } from '../../../changes/integration-choice.ts';
import { environmentWithId } from '../../../changes/integrations.ts';
import { incidentsOfEvent } from '../../../incidents/lists.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { commandText, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import {
  eventIdOrTransaction,
  isNotificationId,
  type LookupTarget,
  MOST_RECOGNIZED,
  type NotificationId,
  notificationId,
  type Recognized,
  recognize,
} from '../../../lib/input/ids.ts';
import { Phone } from '../../../lib/input/phone.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { lookUpEvent, readEvent, readNotification } from '../../../lookups/event.ts';
import { isResentId, repeatsAmong } from '../../../sendings/sent-again.ts';
import { eventKey, type TriggeredEvent } from '../../../service/event.ts';
import { orServiceError, ServiceError } from '../../../service/service-error.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/button-values.ts';
import { lookUpText, OPEN_FIND, runButton } from '../../kit/buttons.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import type { ActionInteraction, Interaction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import type { Reply } from '../../kit/reply.ts';
import { badge, code, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { type Command, type CommandLine, environmentIn, type Flow, type Lookup } from '../../router/command.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import { showMessageText, showProviderWords } from './audited-texts.ts';
import { type CardAct, DASHBOARD, eventCard, MENU, parseCardAct } from './event-card.ts';
import { FIND, find, findView } from './find-form.ts';
import { type LookupCtx, lookupCtx } from './lookup-ctx.ts';
import { messagesAnswer } from './messages.ts';
import { lackedIntegration } from './no-choice-words.ts';
import { showRawEvent } from './raw-event.ts';
import type { Repeats } from './repeat-words.ts';
import { subscriberAnswer } from './subscriber.ts';
import { transactionCard, transactionRoutes } from './transaction.ts';
import { answerUnknownId } from './unknown-id.ts';

const NO_ID = asMessage([
  'There is no ID in this text.',
  mrkdwn`It can be an ID with a digit in it, a link with one, an email address, a phone number or ${code('subscriber:…')}. Any other ID: ${code('/notif event <id>')}.`,
]);

/** What can be looked up, and where. */
interface LookupChoice {
  environment: Environment;
  target: LookupTarget;
}

interface LookupFlow extends Flow {
  lookup: Lookup;
}

export function lookupFlow(ctx: SlackCtx): LookupFlow {
  const lookup: Lookup = (targets, fallback, reply) => lookUp(ctx, targets, fallback, reply);
  const openForm = async ({ openModal }: Interaction) => void (await openModal(findView(ctx)));
  const routes = routesFor('everyone', [
    actionRoute(MENU, parseCardAct, (act, interaction) => runCardAct(ctx, act, interaction)),
    // The link opens by itself; Slack reports the click anyway.
    { surface: 'action', id: DASHBOARD, answer: async () => {} },
    {
      surface: 'shortcut',
      id: 'look_up_notification',
      type: 'message',
      answer: async ({ text, channelId, reply }) => {
        const ids = recognize(text, ctx.environments);
        await reply.show(await lookup(ids, await environmentIn(ctx, channelId), reply));
      },
    },
    { surface: 'shortcut', id: 'find_notification', type: 'global', answer: openForm },
    { surface: 'action', id: OPEN_FIND, answer: openForm },
    { surface: 'view', id: FIND, take: (view) => find(ctx, lookup, view) },
  ]).concat(transactionRoutes(ctx));
  return { commands: [eventCommand(ctx, lookup)], routes, lookup };
}

function eventCommand({ environments }: SlackCtx, lookup: Lookup): Command {
  return {
    word: 'event',
    purpose: 'lookup',
    usage: '<event ID, transaction ID or dashboard link>',
    about: 'what happened to a notification, step by step',
    examples: ['65f2a1c0d4e5f60718293a4b', 'txn_8f2c91'],
    for: 'everyone',
    filters: ['tx', 'env'],
    follows: 'ids',
    answer: async ({ words, filters, environment }, { reply }) => {
      const tx = onlyValue('tx', filters);
      const typed = [...words, tx ?? ''].join(' ');
      refuseMasked(typed);
      const isTransaction = tx !== undefined && words.length === 0;
      const target = isTransaction
        ? { target: notificationId(tx), environment: null }
        : eventIdOrTransaction(typed, environments);
      return lookup([target], environment, reply);
    },
  };
}

async function lookUp(
  ctx: SlackCtx,
  targets: readonly Recognized[],
  fallback: Environment,
  reply: Pick<Reply, 'working'>,
): Promise<MessageContent> {
  const choices = await Promise.all(
    targets.map(async ({ target, environment, serviceEnvironmentId = null }): Promise<LookupChoice> => {
      const name = environment ?? (await environmentWithId(ctx, serviceEnvironmentId));
      return { target, environment: name === null ? fallback : environmentNamed(name, ctx.environments) };
    }),
  );
  const [only, ...others] = choices;
  if (only === undefined) return NO_ID;
  if (others.length > 0) return choiceMessage(choices);
  const { target, environment } = only;
  const readCtx = lookupCtx(ctx, environment, reply);
  if (isNotificationId(target)) return cardOf(readCtx, target);
  return (await subscriberAnswer(readCtx, target.id)).answer;
}

/** Asks which of several IDs of a text is meant. */
export function choiceMessage(choices: readonly LookupChoice[]): MessageContent {
  const shown = choices.slice(0, MOST_RECOGNIZED);
  const more = shown.length < choices.length ? 'More than ' : '';
  const rows = shown.map(({ environment, target }) => {
    const { words, command } = choiceRow(environment.name, target);
    return section(mrkdwn`${badge(environment)} · ${words}`, runButton('Look up', command));
  });
  return asMessage(mrkdwn`${more}${shown.length} IDs are in this text. Which one?`, rows);
}

/** What a row of the choice says of a target, and the command that looks it up. */
function choiceRow(environment: string, target: LookupTarget): { words: Markup | string; command: string } {
  const env = [environment];
  if (isNotificationId(target)) return { words: code(target.id), command: lookUpText({ environment, target }) };
  if (target.kind === 'phone')
    return { words: new Phone(target.id).toString(), command: commandText(['subscriber', target.id], { env }) };
  const filter = { [target.kind]: [target.id] };
  return { words: joined(typedFilterWords(filter), ''), command: commandText(['events'], { ...filter, env }) };
}

async function runCardAct(ctx: SlackCtx, { act, ...request }: CardAct, interaction: ActionInteraction): Promise<void> {
  const { reply } = interaction;
  if (act === 'raw') return showRawEvent(ctx, interaction, request);
  if (act === 'text') return showMessageText(ctx, interaction, request);
  if (act === 'words') return showProviderWords(ctx, interaction, request);
  const environment = environmentNamed(request.environment, ctx.environments);
  if (act === 'refresh') return reply.replace(await cardOf(lookupCtx(ctx, environment, reply), request.target));
  return reply.show(await messagesOf(ctx, environment, request));
}

async function messagesOf(ctx: SlackCtx, environment: Environment, request: LookupRequest): Promise<MessageContent> {
  const { transactionId, subscriber } = (await readEvent(ctx, request)).event;
  const filter = subscriber && { subscriber: [subscriber.subscriberId] };
  return messagesAnswer(ctx, lineOf(environment, { tx: [transactionId], ...filter }));
}

async function cardOf(ctx: LookupCtx, target: NotificationId): Promise<MessageContent> {
  const result = await lookUpEvent(ctx, target);
  if ('events' in result) {
    if (result.events.length + result.unreadable > 0) return transactionCard(result, ctx.retentionDays);
    return answerUnknownId(ctx, target, result.misfits);
  }
  const { event, judgment } = result;
  // An event without a failure is shown even while the database is away.
  if (judgment.failures.length === 0 && !isResentId(event.transactionId)) return eventCard(result, []);
  const { name } = ctx.environment;
  const incidents = await incidentsOfEvent(ctx.db, name, eventKey(event), ctx.now());
  const wanted = judgment.steps.flatMap(lackedIntegration)[0];
  const noChoice = wanted === undefined ? null : await whyNoChoice(ctx.db, name, wanted);
  return eventCard(result, incidents, { noChoice, repeats: await repeatsOf(ctx, event) });
}

async function repeatsOf(ctx: LookupCtx, event: TriggeredEvent): Promise<Repeats> {
  const key = eventKey(event);
  const { transactionId } = event;
  const ids = { eventKeys: [key], transactionIds: [transactionId] };
  const repeats = await repeatsAmong(ctx.db, ctx.environment.name, ids);
  const resending = repeats.find((repeat) => repeat.eventKey === key);
  const original = repeats.find((repeat) => repeat.transactionId === transactionId) ?? null;
  if (resending === undefined) return { sentAgain: null, repeated: original };
  const read = await orServiceError(readNotification(ctx, { kind: 'transaction', id: resending.transactionId }));
  const seen = read instanceof ServiceError || 'events' in read ? null : read;
  return { sentAgain: { repeat: resending, seen }, repeated: original };
}

/** The time zone is that of typed times: no filter of a card is one. */
function lineOf(environment: Environment, filters: FilterMap): CommandLine {
  return { words: [], text: '', filters, environment, timeZone: 'UTC' };
}
