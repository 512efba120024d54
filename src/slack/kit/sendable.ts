import type { ModalView } from '@slack/types';
import { context, type MessageContent } from './blocks.ts';
import { BLOCKS_JSON, BUTTON_VALUE, MOST_MESSAGE_BLOCKS, OWN_BUTTON_VALUE, URL } from './limits.ts';
import { mrkdwn } from './text.ts';

/**
 * Leaves out buttons whose value or link is too long for Slack and, in a message that has no room, those with a long
 * value.
 */
export function sendable<Content extends MessageContent | ModalView>(content: Content): Content {
  if (!JSON.stringify(content.blocks).match(SOMETHING_LONG)) return content;
  const all = withButtonsUpTo(BUTTON_VALUE, content);
  return JSON.stringify(all.blocks).length > BLOCKS_JSON ? withButtonsUpTo(OWN_BUTTON_VALUE, content) : all;
}

/** Few messages have a value or link that long; only those that may have one need a walk through their blocks. */
const SOMETHING_LONG = /"(?:value|url)":"(?:[^"\\]|\\.){475}/;

function withButtonsUpTo<Content extends MessageContent | ModalView>(longest: number, content: Content): Content {
  let isAnyMissing = false;
  const fitted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fitted).filter((item) => item !== LEFT_OUT);
    if (typeof value !== 'object' || value === null) return value;
    const fields: Record<PropertyKey, unknown> = { ...value };
    // A link that long doesn't work in a browser either.
    if (fields.type === 'button' && isLongerThan(fields.url, URL)) return LEFT_OUT;
    if (fields.type === 'button' && isLongerThan(fields.value, longest)) {
      isAnyMissing = true;
      return LEFT_OUT;
    }
    const kept = Reflect.ownKeys(fields)
      .map((key) => [key, fitted(fields[key])] as const)
      .filter(([, field]) => field !== LEFT_OUT);
    const isEmptyRow =
      fields.type === 'actions' && kept.some(([, field]) => Array.isArray(field) && field.length === 0);
    return isEmptyRow ? LEFT_OUT : Object.fromEntries(kept);
  };
  // Only buttons and empty rows of buttons are left out.
  const blocks = fitted(content.blocks) as Content['blocks'];
  const hasRoom = isAnyMissing && blocks.length < MOST_MESSAGE_BLOCKS;
  return { ...content, blocks: hasRoom ? [...blocks, context(BUTTONS_MISSING)] : blocks };
}

const LEFT_OUT: unique symbol = Symbol('left out');

const BUTTONS_MISSING = mrkdwn`Some buttons are missing: what they stand for is too long for Slack.`;

function isLongerThan(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > longest;
}
