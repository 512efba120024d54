import type { ModalView, RichTextBlock } from '@slack/types';
import type { JsonObject } from '../../domain/text/payload.ts';
import { actions, button, context, section } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../blocks/buttons.ts';
import { mrkdwn } from '../blocks/text.ts';
import { resultView } from '../blocks/view.ts';

export const RAW_TITLE = 'Raw event';
export const PREVIOUS = 'event.raw-previous';
export const NEXT = 'event.raw-next';

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

export function parseRawPage(value: string): RawPage | null {
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
