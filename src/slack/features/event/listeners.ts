import type { ModalView, RichTextBlock } from '@slack/types';
import { environmentNamed } from '../../../lib/environment.ts';
import { eventGone } from '../../../lib/errors.ts';
import { onlyValue } from '../../../lib/input/filters.ts';
import { eventIdOrTransaction } from '../../../lib/input/ids.ts';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { type FoundNothing, incidentsOfEvent, type LookedUp, lookUpEvent } from '../../../lookups/event.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { LOOK_UP, type LookupRequest, parseLookup } from '../../kit/buttons.ts';
import { mrkdwn } from '../../kit/text.ts';
import { resultView } from '../../kit/view.ts';
import { type Command, type Flow, foundAnswer, type LookupAnswer } from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction } from '../../router/interaction.ts';
import { actionRoute, answerRoutes, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share.ts';
import { type CardAct, DASHBOARD, eventCard, MENU, parseCardAct, SHARE } from './card-message.ts';
import { transactionCard } from './events.ts';
import { messagesCommand } from './messages.ts';

interface EventCtx extends SlackCtx {
  answerUnknown: (nothing: FoundNothing) => Promise<LookupAnswer>;
}

export interface EventFlow extends Flow {
  answer: (request: LookupRequest) => Promise<LookupAnswer>;
}

export function eventFlow(ctx: EventCtx): EventFlow {
  const answer: EventFlow['answer'] = async (request) => {
    const found = await lookUp(ctx, request);
    if (found.found === 'nothing') return ctx.answerUnknown(found);
    if (found.found === 'transaction') return foundAnswer(transactionCard(found));
    return foundAnswer(eventCard(found, await incidentsOfEvent(ctx, found)));
  };
  const contentOf = async (request: LookupRequest) => (await answer(request)).content;
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
    if (act === 'raw') return inModal(ctx, interaction, RAW_TITLE, () => rawEvent(ctx, request));
    const environment = environmentNamed(request.environment, ctx.environments);
    const line = { words: [], filters: { tx: [request.target.id] }, environment, timeZone: 'UTC' };
    await messagesCommand(ctx).answer(line, { ...interaction, text: '' });
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([LOOK_UP], parseLookup, contentOf),
    ...shareRoutes(ctx, SHARE, parseLookup, contentOf),
    actionRoute(MENU, parseCardAct, act),
    // The link opens by itself; Slack reports the click anyway.
    { surface: 'action', id: DASHBOARD, answer: async () => {} },
  ]);
  return { commands: [event], routes, answer };
}

function lookUp(
  { environments, serviceOf, explainCause, now }: EventCtx,
  { environment: name, target }: LookupRequest,
): Promise<LookedUp> {
  const environment = environmentNamed(name, environments);
  return lookUpEvent({ environment, service: serviceOf(environment.name), explainCause, now }, target);
}

async function rawEvent(ctx: EventCtx, request: LookupRequest): Promise<ModalView> {
  const found = await lookUp(ctx, request);
  if (found.found !== 'event') throw eventGone();
  const answer = await ctx.serviceOf(found.environment.name).eventAnswer(found.event, PERSON);
  if (answer === null) throw eventGone();
  return rawView(answer);
}

const RAW_TITLE = 'Raw event';

/** Whole lines, or whole characters of a longer one: Slack takes 3,000 of preformatted text. */
const PARTS = /[\s\S]{1,2800}(?:\n|$)|[\s\S]{1,2600}(?![\uDC00-\uDFFF])/g;
/** Slack takes 250 kB a view; a character may have three bytes. */
const MOST_PARTS = 25;

export function rawView(masked: JsonObject): ModalView {
  const parts = withUnseenEscaped(JSON.stringify(masked, null, 2)).match(PARTS) ?? [];
  const what = mrkdwn`The service's answer about this event, without secrets and contacts`;
  const cut = parts.length > MOST_PARTS ? mrkdwn`; its end is left out, as it's too long for Slack` : '';
  return resultView(
    { blocks: [section(mrkdwn`${what}${cut}.`), ...parts.slice(0, MOST_PARTS).map(preformatted)] },
    RAW_TITLE,
  );
}

/** Such characters hide, or change the text's direction. */
function withUnseenEscaped(json: string): string {
  return json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function preformatted(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] };
}
