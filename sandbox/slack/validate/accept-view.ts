import { withIds } from '../block-kit/ids.ts';
import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import type { BlockKit } from './block-kit.ts';
import { lineOf } from './problem.ts';

const MAX_VIEW_BYTES = 250_000;

/** Accepts a modal's view and fills in IDs, or refuses it as views.open does. */
export function acceptModal(view: unknown, blockKit: BlockKit): Json {
  return acceptView(view, 'modal', blockKit);
}

/** Accepts the view of a Home tab and fills in IDs, or refuses it as views.publish does. */
export function acceptHome(view: unknown, blockKit: BlockKit): Json {
  return acceptView(view, 'home', blockKit);
}

function acceptView(view: unknown, type: 'modal' | 'home', blockKit: BlockKit): Json {
  if (!isJson(view)) throw invalidArguments('must provide an object [json-pointer:/view]');
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
  const lines = blockKit.view(view, type, '/view').map(lineOf);
  if (lines.length > 0) {
    throw invalidArguments('failed to match all allowed schemas [json-pointer:/view]', ...lines);
  }
  return { ...view, blocks: withIds(objectsIn(view, 'blocks')) };
}
