import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';

/** A view that the bot shows to one person: a modal or the Home tab. */
export interface View {
  readonly id: string;
  readonly person: string;
  /** The view as the bot sent it, with every block_id and action_id filled in. */
  readonly view: Json;
  /** Changes with every update; a bot that sends an old one gets `hash_conflict`. */
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
}

/** Creates a view that isn't stacked on another. */
export function newView(person: string, view: Json): View {
  const id = newViewId();
  return { id, person, view, hash: newHash(), rootId: id, previousId: null };
}

export function newViewId(): string {
  return `V${shortId()}`;
}

export function newHash(): string {
  return shortId().toLowerCase();
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
}
