import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Returns the blocks with a block_id and an action_id wherever the bot omitted them, as Slack stores them. */
export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => ({ ...block, block_id: block.block_id ?? shortId(), ...partsWithIds(block) }));
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
  return { ...element, action_id: element.action_id ?? shortId() };
}

function shortId(): string {
  return crypto.randomUUID().slice(0, 5);
}
