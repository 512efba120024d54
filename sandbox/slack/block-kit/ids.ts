import { randomUUID } from 'node:crypto';
import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Element types that show something but cannot be acted on. */
const STILL_TYPES = new Set(['image']);

/** The blocks with a block_id and an action_id wherever the bot left them out, as Slack stores them. */
export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => withBlockId(withActionIds(block)));
}

/** The same for the blocks inside attachments. */
export function attachmentsWithIds(attachments: readonly Json[]): readonly Json[] {
  return attachments.map((attachment) =>
    isJson(attachment) && Array.isArray(attachment.blocks)
      ? { ...attachment, blocks: withIds(objectsIn(attachment, 'blocks')) }
      : attachment,
  );
}

function withBlockId(block: Json): Json {
  return { ...block, block_id: block.block_id ?? shortId() };
}

function withActionIds(block: Json): Json {
  const elements = block.type === 'actions' ? { elements: objectsIn(block, 'elements').map(withActionId) } : {};
  const accessory = isJson(block.accessory) ? { accessory: withActionId(block.accessory) } : {};
  const element = isJson(block.element) ? { element: withActionId(block.element) } : {};
  return { ...block, ...elements, ...accessory, ...element };
}

function withActionId(element: Json): Json {
  return STILL_TYPES.has(String(element.type)) ? element : { ...element, action_id: element.action_id ?? shortId() };
}

function shortId(): string {
  return randomUUID().slice(0, 5);
}
