import type { Button } from '@slack/types';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';

export function watchButton(label: string, actionId: string, watchId: string): Button {
  return button(label, actionId, writeValue([watchId]));
}

export function parseWatchId(value: string): string | null {
  const [watchId, ...others] = parseValue(value) ?? [];
  return watchId !== undefined && others.length === 0 ? watchId : null;
}
