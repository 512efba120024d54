import { randomUUID } from 'node:crypto';
import { startsOf } from '../block-kit/field-starts.ts';
import { objectsIn } from '../json.ts';
import type { FieldContents, Json } from '../page-protocol.ts';

/** A view that the bot shows to one person: a modal or the Home tab. */
export interface View {
  readonly id: string;
  readonly person: string;
  /** The view as the bot sent it, with every block_id and action_id filled in. */
  readonly view: Json;
  /** What each field began with. */
  readonly starts: FieldContents;
  /** Changes with every update; a bot that sends an old one gets `hash_conflict`. */
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
}

/** Creates a view that isn't stacked on another. */
export function newView(person: string, view: Json): View {
  const id = newViewId();
  return { id, person, ...drawn(view), rootId: id, previousId: null };
}

/** Returns the parts of a view that change when the bot redraws it. Fields that stay keep their contents. */
export function drawn(view: Json, before?: View): Pick<View, 'view' | 'hash' | 'starts'> {
  const hash = newHash();
  return { view, hash, starts: startsOf(objectsIn(view, 'blocks'), before?.starts ?? {}, hash) };
}

export function newViewId(): string {
  return `V${shortId()}`;
}

function newHash(): string {
  return shortId().toLowerCase();
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
}
