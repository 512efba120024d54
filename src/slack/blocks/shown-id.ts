import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { code, type Markup } from './text.ts';

export function idCode(id: string, audience: Audience, longest?: number): Markup {
  return code(shownId(id, audience), longest);
}
