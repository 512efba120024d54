import { whyNoChoice } from '../../../changes/integration-choice.ts';
import { environmentWithId } from '../../../changes/integrations.ts';
import { incidentsOfEvent } from '../../../incidents/lists.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError, orServiceError, ServiceError } from '../../../lib/errors.ts';
import { commandText, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import {
  eventIdOrTransaction,
  isNotificationId,
  type LookupTarget,
  lookupTargetsIn,
  MOST_RECOGNIZED,
  type NotificationId,
  notificationId,
  recognize,
} from '../../../lib/input/ids.ts';
import { isPhone, Phone } from '../../../lib/input/phone.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { inTime } from '../../../lib/time/waiting.ts';
import { hasEvent, lookUpEvent, readEvent, readNotification } from '../../../lookups/event.ts';
import { similarTransactions } from '../../../lookups/similar-transactions.ts';
import { isResentId } from '../../../sendings/resend-plan.ts';
import { repeatsAmong } from '../../../sendings/sent-again.ts';
import { eventKey, type TriggeredEvent } from '../../../service/event.ts';
import type { Misfit } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { lookUpButton, lookUpText, OPEN_FIND, runButton } from '../../kit/buttons.ts';
import { chosenEnvironment } from '../../kit/filled-form.ts';
import { CASE_MATTERS, ignoredFilters, typedFilterWords } from '../../kit/filter-words.ts';
import { inFormModal } from '../../kit/in-modal.ts';
import { environmentInput, textInput } from '../../kit/inputs.ts';
import type { ActionInteraction, FilledView, Interaction, Submitted } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { withoutShare } from '../../kit/reply.ts';
import { badge, code, joined, type Markup, mrkdwn, present } from '../../kit/text.ts';
import { formView, waitingView } from '../../kit/views.ts';
import { type Command, environmentIn, type Flow, type Lookup } from '../../router/command.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import { showMessageText, showProviderWords } from './audited-texts.ts';
import { type CardAct, DASHBOARD, eventCard, lackedIntegration, MENU, parseCardAct } from './card-message.ts';
import { type LookupCtx, lookupCtx } from './lookup-ctx.ts';
import { messagesAnswer } from './messages.ts';
import { showRawEvent } from './raw-event.ts';
import type { Repeats } from './repeat-words.ts';
import { subscriberAnswer } from './subscriber.ts';
import { transactionCard, transactionRoutes } from './transaction.ts';

const FIND = 'lookup.find';

interface LookupFlow extends Flow {
  lookup: Lookup;
}

export function lookupFlow(ctx: SlackCtx): LookupFlow {
  const lookup: Lookup = async (targets, fallback, reply) => {
    const choices = await Promise.all(
      targets.map(async ({ target, environment, serviceEnvironmentId = null }) => {
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
  };
  const event: Command = {
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
        : eventIdOrTransaction(typed, ctx.environments);
      return lookup([target], environment, reply);
    },
  };
  const runCardAct = async ({ act, ...request }: CardAct, interaction: ActionInteraction) => {
    const { reply } = interaction;
    if (act === 'raw') return showRawEvent(ctx, interaction, request);
    if (act === 'text') return showMessageText(ctx, interaction, request);
    if (act === 'words') return showProviderWords(ctx, interaction, request);
    const environment = environmentNamed(request.environment, ctx.environments);
    if (act === 'refresh') return reply.replace(await cardOf(lookupCtx(ctx, environment, reply), request.target));
    const { transactionId, subscriber } = (await readEvent(ctx, request)).event;
    const filter = subscriber && { subscriber: [subscriber.subscriberId] };
    await reply.show(await messagesAnswer(ctx, lineOf(environment, { tx: [transactionId], ...filter })));
  };
  const openForm = async ({ openModal }: Interaction) => void (await openModal(findView(ctx)));
  const routes = routesFor('everyone', [
    actionRoute(MENU, parseCardAct, runCardAct),
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
  return { commands: [event], routes, lookup };
}

const TITLE = 'Find a notification';
const SOUGHT = 'lookup.find-sought';

function findView({ environments }: SlackCtx) {
  const hint = 'IDs, email addresses or links, also in a longer text';
  const sought = textInput({ blockId: SOUGHT, label: 'What to look for', hint, isFocused: true });
  const blocks = [sought, ...environmentInput(environments, environments[0])];
  return formView({ callbackId: FIND, title: TITLE, submit: 'Look up', blocks });
}

function find(ctx: SlackCtx, lookup: Lookup, view: FilledView): Submitted {
  const typed = view.valueIn(SOUGHT) ?? '';
  try {
    refuseMasked(typed);
    const targets = lookupTargetsIn(typed, ctx.environments);
    const environment = chosenEnvironment(view, ctx.environments);
    return inFormModal(ctx, {
      next: waitingView(TITLE, '⏳ Looking …'),
      work: async () => ({ content: withoutShare(await lookup(targets, environment, { working: () => {} })) }),
    });
  } catch (error) {
    if (error instanceof InputError) return { is: 'invalid', errors: { [SOUGHT]: error.message } };
    throw error;
  }
}

async function cardOf(ctx: LookupCtx, target: NotificationId) {
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
  const repeat = repeats.find(({ eventKey }) => eventKey === key);
  const repeated = repeats.find((other) => other.transactionId === transactionId) ?? null;
  if (repeat === undefined) return { sentAgain: null, repeated };
  const read = await orServiceError(readNotification(ctx, { kind: 'transaction', id: repeat.transactionId }));
  const seen = read instanceof ServiceError || 'events' in read ? null : read;
  return { sentAgain: { repeat, seen }, repeated };
}

function lineOf(environment: Environment, filters: FilterMap) {
  return { words: [], text: '', filters, environment, timeZone: 'UTC' };
}

async function answerUnknownId(ctx: LookupCtx, target: NotificationId, misfits: readonly Misfit[]) {
  const { environment } = ctx;
  const { id } = target;
  const subscriber = await subscriberAnswer(ctx, id);
  if (subscriber.isFound || isPhone(id)) return subscriber.answer;
  const what = mrkdwn`No event found for ${code(id)} in ${badge(environment)} as event, transaction or subscriber. For a topic: ${code(`/notif topic ${id}`)}.`;
  const isAlmostEventId = /^[0-9a-f]{20,28}$/i.test(id) && id.length !== 24;
  const length = isAlmostEventId && mrkdwn`It has ${id.length} characters, an event's ID has 24.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. ${CASE_MATTERS}`;
  const names = ctx.environments.map(({ name }) => name);
  const [similar, elsewhere] = await Promise.all([
    similarTransactions(ctx.db, names, id),
    environmentsWith(ctx, target),
  ]);
  const others = elsewhere.map((other) =>
    section(mrkdwn`${badge(other)} has one.`, lookUpButton({ environment: other.name, target }, 'Look up there')),
  );
  const alike = similar.flatMap(({ environment, transactionId: id }) => {
    if (elsewhere.some(({ name }) => name === environment)) return [];
    const where = badge(environmentNamed(environment, ctx.environments));
    const target = { kind: 'transaction', id } as const;
    return section(mrkdwn`Did you mean ${code(id)} in ${where}?`, lookUpButton({ environment, target }));
  });
  return asMessage([what, joined([length, why, ignoredFilters(misfits)], ' ')], [...others, ...alike]);
}

const ELSEWHERE_MS = 2_000;

async function environmentsWith(ctx: LookupCtx, target: NotificationId) {
  const answers = ctx.environments.map(async (other) => {
    if (other.name === ctx.environment.name) return null;
    const has = orServiceError(hasEvent(ctx.serviceOf(other.name), target, ctx.now()));
    return (await inTime(has, ELSEWHERE_MS, false, ctx.sleep)) === true && other;
  });
  return present(await Promise.all(answers));
}

export function choiceMessage(choices: readonly { environment: Environment; target: LookupTarget }[]): MessageContent {
  const shown = choices.slice(0, MOST_RECOGNIZED);
  const more = shown.length < choices.length ? 'More than ' : '';
  const rows = shown.map(({ environment, target }) => {
    const [what, command] = wordsAndCommand(environment.name, target);
    return section(mrkdwn`${badge(environment)} · ${what}`, runButton('Look up', command));
  });
  return asMessage(mrkdwn`${more}${shown.length} IDs are in this text. Which one?`, rows);
}

function wordsAndCommand(environment: string, target: LookupTarget): [words: Markup | string, command: string] {
  const env = [environment];
  if (isNotificationId(target)) return [code(target.id), lookUpText({ environment, target })];
  if (target.kind === 'phone')
    return [new Phone(target.id).toString(), commandText(['subscriber', target.id], { env })];
  const filter = { [target.kind]: [target.id] };
  return [joined(typedFilterWords(filter), ''), commandText(['events'], { ...filter, env })];
}

const NO_ID = asMessage([
  'There is no ID in this text.',
  mrkdwn`It can be an ID with a digit in it, a link with one, an email address, a phone number or ${code('subscriber:…')}. Any other ID: ${code('/notif event <id>')}.`,
]);
