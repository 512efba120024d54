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
import { actions, button, context, section } from '../../kit/blocks.ts';
import { parseValue, writeValue } from '../../kit/button-value.ts';
import { LOOK_UP, type LookupRequest, parseLookup, writeLookup } from '../../kit/buttons.ts';
import { mrkdwn } from '../../kit/text.ts';
import { resultView } from '../../kit/view.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction, CommandInteraction } from '../../router/interaction.ts';
import { foundAnswer, type LookupAnswer } from '../../router/notif-command.ts';
import { withoutShare } from '../../router/reply.ts';
import { actionRoute, answerRoutes, pageRoutes, type Route, routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';
import { DASHBOARD, RAW, REFRESH, SHARE } from './card-message.ts';
import { lookedUpMessage } from './message.ts';

interface EventCtx extends SlackCtx {
  /** For an ID that no event or transaction of its environment has. */
  readonly answerUnknown: (nothing: FoundNothing) => Promise<LookupAnswer>;
}

export interface EventFlow extends Flow {
  /** The answer to another flow's lookup. */
  readonly answer: (request: LookupRequest) => Promise<LookupAnswer>;
}

export function eventFlow(ctx: EventCtx): EventFlow {
  return {
    commands: [eventCommand(ctx)],
    routes: eventRoutes(ctx),
    answer: (request) => answerOf(ctx, request),
  };
}

function eventCommand(ctx: EventCtx): Command {
  return {
    word: 'event',
    usage: '<event ID, transaction ID or dashboard link>',
    about: 'what happened to a notification, step by step',
    examples: ['65f2a1c0d4e5f60718293a4b', 'txn_8f2c91'],
    for: 'everyone',
    filters: ['tx', 'env'],
    follows: 'ids',
    answer: (line, interaction) => answerCommand(ctx, line, interaction),
  };
}

function eventRoutes(ctx: EventCtx): Route[] {
  const contentOf = async (request: LookupRequest) => (await answerOf(ctx, request)).content;
  return routesFor('everyone', [
    ...answerRoutes([LOOK_UP], parseLookup, contentOf),
    ...pageRoutes([REFRESH], parseLookup, contentOf),
    ...shareRoutes(ctx, SHARE, parseLookup, contentOf),
    actionRoute(RAW, parseLookup, (request, interaction) => openRaw(ctx, { request, page: 0 }, interaction)),
    actionRoute(PREVIOUS, parseRawPage, (page, interaction) => turnRaw(ctx, page, interaction)),
    actionRoute(NEXT, parseRawPage, (page, interaction) => turnRaw(ctx, page, interaction)),
    // The link opens by itself; Slack reports the click anyway.
    { surface: 'action', id: DASHBOARD, answer: async () => {} },
  ]);
}

async function answerCommand(
  ctx: EventCtx,
  { words, filters, environment }: CommandLine,
  { reply }: CommandInteraction,
): Promise<void> {
  const tx = onlyValue('tx', filters);
  const typed = [...words, ...(tx === undefined ? [] : [tx])].join(' ');
  refuseMasked(typed);
  const target = eventIdOrTransaction(typed);
  const { content } = await answerOf(ctx, { environment: environment.name, target });
  await reply.show(content);
}

async function answerOf(ctx: EventCtx, request: LookupRequest): Promise<LookupAnswer> {
  const found = await lookUp(ctx, request);
  if (found.found === 'nothing') return ctx.answerUnknown(found);
  const incidents = found.found === 'event' ? await incidentsOfEvent(ctx, found) : [];
  return foundAnswer(lookedUpMessage(found, incidents));
}

function lookUp(
  { environments, serviceOf, explainCause, now }: EventCtx,
  { environment: name, target }: LookupRequest,
): Promise<LookedUp> {
  const environment = environmentNamed(name, environments);
  return lookUpEvent({ environment, service: serviceOf(environment.name), explainCause, now }, target);
}

async function openRaw(ctx: EventCtx, page: RawPage, interaction: ActionInteraction): Promise<void> {
  await inModal(ctx, interaction, RAW_TITLE, () => rawPage(ctx, page));
}

async function turnRaw(ctx: EventCtx, page: RawPage, { modal }: ActionInteraction): Promise<void> {
  await modal?.update(await rawPage(ctx, page));
}

async function rawPage(ctx: EventCtx, page: RawPage) {
  const found = await lookUp(ctx, page.request);
  if (found.found !== 'event') return resultView(withoutShare(lookedUpMessage(found)), RAW_TITLE);
  const answer = await ctx.serviceOf(found.environment.name).eventAnswer(found.event, PERSON);
  if (answer === null) throw eventGone();
  return rawView(answer, page);
}

const RAW_TITLE = 'Raw event';
const PREVIOUS = 'event.raw-previous';
const NEXT = 'event.raw-next';

/** Slack documents no limit for a preformatted text, but accepts a section's 3,000 characters. */
const PART_LENGTH = 2_800;
const PARTS_A_PAGE = 4;

/** `page` is counted from 0. */
export interface RawPage {
  readonly request: LookupRequest;
  readonly page: number;
}

/** `masked` is the service's answer. A page beyond the last shows the last. */
export function rawView(masked: JsonObject, { request, page }: RawPage): ModalView {
  const pages = pagesOf(withUnseenEscaped(JSON.stringify(masked, null, 2)));
  const shown = Math.min(page, pages.length - 1);
  const turn = [
    ...(shown > 0 ? [button('Previous page', PREVIOUS, writeRawPage({ request, page: shown - 1 }))] : []),
    ...(shown < pages.length - 1 ? [button('Next page', NEXT, writeRawPage({ request, page: shown + 1 }))] : []),
  ];
  const blocks = [
    section(mrkdwn`The service's answer about this event, without secrets and contacts.`),
    ...(pages[shown] ?? []).map(preformatted),
    context(mrkdwn`Page ${shown + 1} of ${pages.length}`),
    ...actions(turn),
  ];
  return resultView({ blocks }, RAW_TITLE);
}

function writeRawPage({ request, page }: RawPage): string {
  return writeValue([String(page), writeLookup(request)]);
}

function parseRawPage(value: string): RawPage | null {
  const [page = '', lookup = ''] = parseValue(value) ?? [];
  const request = parseLookup(lookup);
  return request !== null && /^\d{1,4}$/.test(page) ? { request, page: Number(page) } : null;
}

/** People see what the text really contains: invisible characters, and those that change its direction. */
function withUnseenEscaped(json: string): string {
  return json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function pagesOf(json: string): string[][] {
  const parts = partsOf(json);
  return Array.from({ length: Math.ceil(parts.length / PARTS_A_PAGE) }, (_, page) =>
    parts.slice(page * PARTS_A_PAGE, (page + 1) * PARTS_A_PAGE),
  );
}

/** Breaks a line that is longer than a part, never within a character. */
function partsOf(json: string): string[] {
  const parts: string[] = [];
  for (const piece of json.split('\n').flatMap(piecesOf)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + piece.length < PART_LENGTH) parts[parts.length - 1] = `${last}\n${piece}`;
    else parts.push(piece);
  }
  return parts;
}

function piecesOf(line: string): string[] {
  return line.match(/[\s\S]{1,2600}(?![\uDC00-\uDFFF])/g) ?? [''];
}

function preformatted(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] };
}
