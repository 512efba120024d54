import { withIds } from '../block-kit/ids.ts';
import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import { lineOf } from './message.ts';
import { checkView } from './view.ts';

const MAX_VIEW_BYTES = 250_000;

/** Takes a modal's view, with ids filled in, or refuses it as views.open does. */
export function acceptModal(view: unknown): Json {
  return acceptView(view, 'modal');
}

/** Takes the view of a Home tab, with ids filled in, or refuses it as views.publish does. */
export function acceptHome(view: unknown): Json {
  return acceptView(view, 'home');
}

function acceptView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isJson(view)) throw invalidArguments('must provide an object [json-pointer:/view]');
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
  const lines =
    view.type === type
      ? checkView(view, '/view').map(lineOf)
      : [`unsupported type: the view must be a ${type} [json-pointer:/view/type]`];
  if (lines.length > 0) {
    throw invalidArguments('failed to match all allowed schemas [json-pointer:/view]', ...lines);
  }
  return { ...view, blocks: withIds(objectsIn(view, 'blocks')) };
}
