import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Element types that can't be operated. */
const STILL_TYPES = new Set(['image']);

/** Returns the blocks with a block_id and an action_id wherever the bot omitted them, as Slack stores them. */
export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => ({ ...block, block_id: block.block_id ?? shortId(), ...partsWithIds(block) }));
}

/** Returns attachments whose blocks have all IDs. */
export function attachmentsWithIds(attachments: readonly Json[]): readonly Json[] {
  return attachments.map((attachment) =>
    isJson(attachment) && Array.isArray(attachment.blocks)
      ? { ...attachment, blocks: withIds(objectsIn(attachment, 'blocks')) }
      : attachment,
  );
}

/** Returns a block whose elements and inner blocks have all IDs. */
function partsWithIds(block: Json): Json {
  switch (block.type) {
    case 'container':
      return { child_blocks: withIds(objectsIn(block, 'child_blocks')) };
    case 'actions':
      return { elements: objectsIn(block, 'elements').map(withActionId) };
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
