import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Element types that show something but cannot be acted on. */
const STILL_TYPES = new Set(['image']);

/** The blocks with a block_id and an action_id wherever the bot left them out, as Slack stores them. */
export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => ({ ...block, block_id: block.block_id ?? shortId(), ...partsWithIds(block) }));
}

/** The same for the blocks inside attachments. */
export function attachmentsWithIds(attachments: readonly Json[]): readonly Json[] {
  return attachments.map((attachment) =>
    isJson(attachment) && Array.isArray(attachment.blocks)
      ? { ...attachment, blocks: withIds(objectsIn(attachment, 'blocks')) }
      : attachment,
  );
}

/** The elements of a block, and the blocks inside it. */
function partsWithIds(block: Json): Json {
  switch (block.type) {
    case 'carousel':
      return { elements: withIds(objectsIn(block, 'elements')) };
    case 'container':
      return { child_blocks: withIds(objectsIn(block, 'child_blocks')) };
    case 'actions':
    case 'context_actions':
      return { elements: objectsIn(block, 'elements').map(withActionId) };
    case 'card':
      return Array.isArray(block.actions) ? { actions: objectsIn(block, 'actions').map(withActionId) } : {};
    default:
      return {
        ...(isJson(block.accessory) ? { accessory: withActionId(block.accessory) } : {}),
        ...(isJson(block.element) ? { element: withActionId(block.element) } : {}),
      };
  }
}

function withActionId(element: Json): Json {
  return STILL_TYPES.has(String(element.type)) ? element : { ...element, action_id: element.action_id ?? shortId() };
}

function shortId(): string {
  return crypto.randomUUID().slice(0, 5);
}
