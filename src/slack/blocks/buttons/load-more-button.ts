import type { Button } from '@slack/types';
import { button } from '../blocks.ts';
import { BUTTON_VALUE } from '../limits.ts';

/** Empty if nothing follows (null), or if the request doesn't fit in a button. */
export function loadMoreButton(actionId: string, request: string | null): Button[] {
  if (request === null || request.length > BUTTON_VALUE) return [];
  return [button('Load more', actionId, request)];
}
