import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  PlainTextOption,
  SectionBlock,
  TableBlock,
} from '@slack/types';
import * as limits from './limits.ts';
import { cutMarkup, joined, type Markup, mrkdwnElement, plain } from './text.ts';

/** What a message says: `text` for screen readers and notifications, `blocks` for everybody else. */
export interface MessageContent {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** A message of blocks that fit (see `fit.ts`) with its spoken text. */
export function message(text: Markup, blocks: readonly KnownBlock[]): MessageContent {
  return { text: `${cutMarkup(text, limits.MESSAGE_TEXT)}`, blocks };
}

/** A message with a line more. */
export function noted({ text, blocks }: MessageContent, note: Markup): MessageContent {
  return { text: `${text} ${note}`, blocks: [...blocks, context(note)] };
}

export function section(text: Markup, accessory?: Button): SectionBlock {
  const block: SectionBlock = { type: 'section', text: mrkdwnElement(text, limits.SECTION_TEXT) };
  return accessory === undefined ? block : { ...block, accessory };
}

/** `title` is text without markup, and may come from outside. */
export function header(title: string): HeaderBlock {
  return { type: 'header', text: plain(title, limits.HEADER_TEXT) };
}

/** Small print: one line for each text. Elements of their own would stand beside each other. */
export function context(...lines: readonly Markup[]): ContextBlock {
  return { type: 'context', elements: [mrkdwnElement(joined(lines, '\n'), limits.SECTION_TEXT)] };
}

/**
 * A table of texts, which may come from outside, with its headings as the first row; the last `numbers` columns are flush right. A message has
 * one at most, and Slack draws it below all else.
 */
export function table(rows: readonly (readonly string[])[], numbers: number): TableBlock {
  const columns = rows[0]?.length ?? 0;
  return {
    type: 'table',
    rows: rows.map((row) => row.map((text) => ({ type: 'raw_text', text: plain(text, limits.CELL_TEXT).text }))),
    column_settings: Array.from({ length: columns }, (_, column) => ({
      align: column < columns - numbers ? 'left' : 'right',
    })),
  };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

/** A row of buttons, or nothing where there is none to show. */
export function actions(elements: readonly ActionsBlockElement[]): ActionsBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }];
}

/** A button whose `value` comes back with the click; `value` is made by `writeValue`. */
export function button(label: string, actionId: string, value: string): Button {
  return { type: 'button', text: plain(label, limits.BUTTON_TEXT), action_id: actionId, value };
}

/** A button that opens a page; Slack reports the click anyway, so it has an action id. */
export function linkButton(label: string, actionId: string, url: string): Button {
  return { type: 'button', text: plain(label, limits.BUTTON_TEXT), action_id: actionId, url };
}

/** A choice of a select; a value that Slack would refuse gives none. */
export function option(label: string, value: string): PlainTextOption | null {
  return value.length > limits.OPTION_VALUE ? null : { text: plain(label, limits.OPTION_TEXT), value };
}
