import type * as slack from '@slack/types';
import type { DataVisualizationBlock } from './chart-block.ts';
import type { DataTableBlock } from './data-table.ts';
import { type Inserted, joined, type Line, mrkdwnElement, type Optional, plain, present } from './text.ts';

/** Slack's limits, in characters (docs.slack.dev). */
export const SECTION_TEXT = 3_000;
/** Leaves room for names: `withNames` (for-everyone.ts) replaces IDs by them. */
export const TEXT_WITH_NAMES = 2_600;
export const HEADER_TEXT = 150;

const BUTTON_TEXT = 75;
const BUTTON_VALUE = 2_000;
const BUTTON_URL = 3_000;
export const OPTION_TEXT = 75;
const OPTION_VALUE = 150;

export type MessageBlock = Exclude<slack.KnownBlock, slack.DataTableBlock> | DataTableBlock | DataVisualizationBlock;

export type Lines = Inserted | readonly Line[];

export function section(lines: Lines, accessory?: slack.Button): slack.SectionBlock {
  const text = joined([lines].flat(), '\n');
  const block: slack.SectionBlock = { type: 'section', text: mrkdwnElement(text, SECTION_TEXT) };
  return accessory && isSendable(accessory) ? { ...block, accessory } : block;
}

/** As few sections as take all lines. */
export function lineSections(lines: readonly Line[]): slack.SectionBlock[] {
  const sections: Inserted[][] = [];
  let length = 0;
  for (const line of present(lines)) {
    length += `\n${line}`.length;
    const last = sections.at(-1);
    if (last !== undefined && length <= TEXT_WITH_NAMES) last.push(line);
    else {
      sections.push([line]);
      length = `${line}`.length;
    }
  }
  return sections.map((lines) => section(lines));
}

export const header = (title: string): slack.HeaderBlock => ({ type: 'header', text: plain(title, HEADER_TEXT) });

/** The lines share an element, since Slack draws several side by side. */
export function context(...lines: readonly Line[]): slack.ContextBlock | null {
  if (present(lines).length === 0) return null;
  return { type: 'context', elements: [mrkdwnElement(joined(lines, '\n'), SECTION_TEXT)] };
}

export function preformatted(text: string): slack.RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] };
}

export const divider = (): slack.DividerBlock => ({ type: 'divider' });

/** Slack accepts at most ten children, and no container in a modal. */
export function folded(title: string, children: slack.ContainerBlock['child_blocks']): slack.ContainerBlock {
  return {
    type: 'container',
    title: plain(title, HEADER_TEXT),
    child_blocks: children,
    is_collapsible: true,
    default_collapsed: true,
  };
}

export function actions(elements: readonly Optional<slack.ActionsBlockElement>[]): slack.ActionsBlock[] {
  const sendable = present(elements).filter(isSendable);
  return sendable.length === 0 ? [] : [{ type: 'actions', elements: sendable }];
}

/** Whether Slack accepts the element: what is too long would be cut, and then mean something else. */
export function isSendable(element: slack.ActionsBlockElement): boolean {
  if (element.type === 'overflow') return element.options.length > 0;
  if (element.type !== 'button') return true;
  const { value = '', url = '' } = element;
  return value.length <= BUTTON_VALUE && url.length <= BUTTON_URL;
}

export function button(label: string, actionId: string, value: string): slack.Button {
  return { type: 'button', text: plain(label, BUTTON_TEXT), action_id: actionId, value };
}

export function dashboardButton(actionId: string, url: string): slack.Button {
  return { type: 'button', text: plain('Dashboard', BUTTON_TEXT), action_id: actionId, url };
}

export type Option = slack.PlainTextOption & { value: string };

/** Null if the value is too long for Slack. */
export function option(label: string, value: string): Option | null {
  return value.length > OPTION_VALUE ? null : { text: plain(label, OPTION_TEXT), value };
}
