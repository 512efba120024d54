import { setImmediate } from 'node:timers/promises';
import type { ModalView, RichTextBlock } from '@slack/types';
import { environmentNamed } from '../../domain/environment.ts';
import { eventGone } from '../../domain/errors.ts';
import { onlyValue } from '../../domain/input/filters.ts';
import { eventIdOrTransaction } from '../../domain/input/ids.ts';
import type { JsonObject } from '../../domain/text/payload.ts';
import { type FoundNothing, incidentsOfEvent, type LookedUp, lookUpEvent } from '../../lookups/event.ts';
import { refuseMasked } from '../../lookups/typed-lookup.ts';
import { actions, button, context, section } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { LOOK_UP, type LookupRequest, parseLookup, writeLookup } from '../blocks/buttons.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import { mrkdwn } from '../blocks/text.ts';
import { resultView } from '../blocks/view.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import type { SlackCtx } from '../ctx.ts';
import type { Asked, Command, Flow } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, CommandInteraction, Requester } from '../interactions/interaction.ts';
import { actionRoute, answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { shareRoutes } from '../interactions/share-route.ts';
import { DASHBOARD, RAW, REFRESH, SHARE } from './card-message.ts';
import { lookedUpMessage } from './message.ts';

/** For an ID that no event or transaction of its environment has. */
export type AnswerUnknown = (nothing: FoundNothing, reader: Reader) => Promise<LookupAnswer>;

interface EventCtx extends SlackCtx {
  readonly answerUnknown: AnswerUnknown;
}

export interface EventFlow extends Flow {
  /** The answer to another flow's lookup. */
  readonly answer: (request: LookupRequest, reader: Reader, interaction: Requester) => Promise<LookupAnswer>;
}

export function eventFlow(parts: EventCtx): EventFlow {
  return {
    commands: [eventCommand(parts)],
    routes: eventRoutes(parts),
    answer: (request, reader, interaction) =>
      answerOf(request, reader.is === 'channel' ? reader : readerOf(interaction.reply), parts),
  };
}

function eventCommand(parts: EventCtx): Command {
  return {
    word: 'event',
    usage: '<event ID, transaction ID or dashboard link>',
    about: 'what happened to a notification, step by step',
    examples: ['65f2a1c0d4e5f60718293a4b', 'txn_8f2c91'],
    for: 'everyone',
    filters: ['tx', 'env'],
    follows: 'ids',
    answer: (asked, interaction) => answerCommand(asked, interaction, parts),
  };
}

function eventRoutes(parts: EventCtx): Route[] {
  const contentOf = async (request: LookupRequest, reader: Reader) => (await answerOf(request, reader, parts)).content;
  return routesFor('everyone', [
    ...answerRoutes([LOOK_UP], parseLookup, (request, { reply }) => contentOf(request, readerOf(reply))),
    ...pageRoutes([REFRESH], parseLookup, (request, { reply }) => contentOf(request, readerOf(reply))),
    ...shareRoutes(SHARE, parseLookup, contentOf, parts),
    actionRoute(RAW, parseLookup, (request, interaction) => openRaw({ request, page: 0 }, interaction, parts)),
    actionRoute(PREVIOUS, parseRawPage, (page, interaction) => turnRaw(page, interaction, parts)),
    actionRoute(NEXT, parseRawPage, (page, interaction) => turnRaw(page, interaction, parts)),
    // The link opens by itself; Slack reports the click anyway.
    { surface: 'action', id: DASHBOARD, answer: async () => {} },
  ]);
}

async function answerCommand(
  { words, filters, environment }: Asked,
  { reply }: CommandInteraction,
  parts: EventCtx,
): Promise<void> {
  const tx = onlyValue('tx', filters);
  const typed = [...words, ...(tx === undefined ? [] : [tx])].join(' ');
  refuseMasked(typed);
  const target = eventIdOrTransaction(typed);
  const { content } = await answerOf({ environment: environment.name, target }, readerOf(reply), parts);
  await reply.show(content);
}

async function answerOf(request: LookupRequest, reader: Reader, parts: EventCtx): Promise<LookupAnswer> {
  const found = await lookUp(request, parts);
  if (found.found === 'nothing') return parts.answerUnknown(found, reader);
  const incidents = found.found === 'event' ? await incidentsOfEvent(found, parts) : [];
  return foundAnswer(lookedUpMessage(found, reader, incidents));
}

function lookUp(
  { environment: name, target }: LookupRequest,
  { environments, serviceOf, explainCause, now }: EventCtx,
): Promise<LookedUp> {
  const environment = environmentNamed(name, environments);
  return lookUpEvent(target, { environment, service: serviceOf(environment.name), explainCause, now });
}

async function openRaw(page: RawPage, interaction: ActionInteraction, parts: EventCtx): Promise<void> {
  await inModal(interaction, RAW_TITLE, () => rawPage(page, parts), parts);
}

async function turnRaw(page: RawPage, { modal }: ActionInteraction, parts: EventCtx): Promise<void> {
  await modal?.update(await rawPage(page, parts));
}

async function rawPage(page: RawPage, parts: EventCtx) {
  const found = await lookUp(page.request, parts);
  if (found.found !== 'event') return resultView(lookedUpMessage(found, { is: 'alone' }), RAW_TITLE);
  const answer = await parts.serviceOf(found.environment.name).eventAnswer(found.event, { who: 'person' });
  if (answer === null) throw eventGone();
  return rawView(await answer.masked(setImmediate), page);
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

/** `masked` is the service's answer (`EventAnswer`). A page beyond the last shows the last. */
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
