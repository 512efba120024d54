import type {
  ActionsBlock,
  ActionsBlockElement,
  AlertBlock,
  Button,
  ContainerBlock,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import type { DataVisualizationBlock } from './chart-block.ts';
import * as limits from './limits.ts';
import { cutMarkup, joined, type Markup, mrkdwnElement, plain } from './text.ts';

/** Slack's blocks for messages. */
export type MessageBlock = KnownBlock | DataVisualizationBlock;

/** A message's content: `text` for screen readers and notifications, `blocks` for everybody else. */
export interface MessageContent {
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
}

/** Builds a message of blocks that fit (see `fit.ts`), with its fallback text. */
export function message(text: Markup, blocks: readonly MessageBlock[]): MessageContent {
  return { text: `${cutMarkup(text, limits.MESSAGE_TEXT)}`, blocks };
}

export function sentence(text: Markup): MessageContent {
  return message(text, [section(text)]);
}

/** Adds a line to a message. */
export function noted({ text, blocks }: MessageContent, note: Markup): MessageContent {
  return { text: `${text} ${note}`, blocks: [...blocks, context(note)] };
}

export function section(text: Markup, accessory?: Button): SectionBlock {
  const block: SectionBlock = { type: 'section', text: mrkdwnElement(text, limits.SECTION_TEXT) };
  return accessory === undefined ? block : { ...block, accessory };
}

/** Builds a header. `title` is text without markup and can come from outside. */
export function header(title: string): HeaderBlock {
  return { type: 'header', text: plain(title, limits.HEADER_TEXT) };
}

/** Builds small print with one line for each text: separate elements would be shown side by side. */
export function context(...lines: readonly Markup[]): ContextBlock {
  return { type: 'context', elements: [mrkdwnElement(joined(lines, '\n'), limits.SECTION_TEXT)] };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

/** Builds a notice of a problem. Only in modals. */
export function alert(level: 'warning' | 'error', text: Markup): AlertBlock {
  return { type: 'alert', level, text: mrkdwnElement(text, limits.ALERT_TEXT) };
}

/** Builds a folded part, which few people need. `children` are at most ten blocks. Not in modals. */
export function folded(title: string, children: Readonly<ContainerBlock['child_blocks']>): ContainerBlock {
  return {
    type: 'container',
    title: plain(title, limits.CONTAINER_TITLE),
    child_blocks: children.slice(0, limits.MOST_CHILDREN),
    is_collapsible: true,
    default_collapsed: true,
  };
}

/** Builds a row of buttons. Empty if there are none. */
export function actions(elements: readonly ActionsBlockElement[]): ActionsBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }];
}

/** Builds a button. `value`, made by `writeValue`, is returned with the click. */
export function button(label: string, actionId: string, value: string): Button {
  return { type: 'button', text: plain(label, limits.BUTTON_TEXT), action_id: actionId, value };
}

/** Builds a button that opens a page. It has an action ID because Slack reports the click anyway. */
export function linkButton(label: string, actionId: string, url: string): Button {
  return { type: 'button', text: plain(label, limits.BUTTON_TEXT), action_id: actionId, url };
}

/** Builds a choice of a select. Null if Slack would refuse the value. */
export function option(label: string, value: string): PlainTextOption | null {
  return value.length > limits.OPTION_VALUE ? null : { text: plain(label, limits.OPTION_TEXT), value };
}
