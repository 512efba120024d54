import type { Button } from '@slack/types';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';

/** [Take over], wherever it stands: a watch whose creator is gone becomes that of the person who clicks. */
export const TAKE_OVER = 'watch.take-over';

/** A button that acts on a watch. */
export function watchButton(label: string, actionId: string, watchId: string): Button {
  return button(label, actionId, writeValue([watchId]));
}

/** The id of the watch that a `watchButton` acts on, or null. */
export function parseWatchId(value: string): string | null {
  const [watchId, ...others] = parseValue(value) ?? [];
  return watchId !== undefined && others.length === 0 ? watchId : null;
}
