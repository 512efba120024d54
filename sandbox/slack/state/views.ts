import { randomUUID } from 'node:crypto';
import { Refusal } from '../arguments.ts';
import { startsOf } from '../block-kit/controls.ts';
import { objectsIn } from '../json.ts';
import type { FieldContents, Json } from '../page-protocol.ts';
import type { Changes } from './changes.ts';

/** A view that the bot shows to one person: a modal or the Home tab. */
export interface View {
  readonly id: string;
  readonly person: string;
  /** The view as the bot sent it, with every block_id and action_id filled in. */
  readonly view: Json;
  readonly starts: FieldContents;
  /** Changes with every update; a bot that sends an old one gets `hash_conflict`. */
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
}

/** Creates a view that isn't stacked on another. */
function newView(person: string, view: Json): View {
  const id = newViewId();
  return { id, person, ...drawn(view), rootId: id, previousId: null };
}

/** Returns the parts of a view that change when the bot redraws it. Fields that stay keep their contents. */
function drawn(view: Json, before?: View): Pick<View, 'view' | 'hash' | 'starts'> {
  const hash = newHash();
  return { view, hash, starts: startsOf(objectsIn(view, 'blocks'), before?.starts ?? {}, hash) };
}

function newViewId(): string {
  return `V${shortId()}`;
}

function newHash(): string {
  return shortId().toLowerCase();
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
}

/** Slack stacks at most three views. */
const MAX_STACKED = 3;

/** A modal, and the errors from the bot or Slack: block_id -> sentence. */
export interface Modal extends View {
  readonly errors: Readonly<Record<string, string>>;
}

export class Modals {
  readonly #stacks = new Map<string, readonly Modal[]>();
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Returns a person's open views, the top one last. */
  stack(person: string): readonly Modal[] {
    return this.#stacks.get(person) ?? [];
  }

  find(viewId: string): Modal | undefined {
    return [...this.#stacks.values()].flat().find((modal) => modal.id === viewId);
  }

  open(person: string, view: Json): Modal {
    const modal = { ...newView(person, view), errors: {} };
    this.#set(person, [modal]);
    return modal;
  }

  /** Adds a view on top. Refuses the fourth with Slack's `push_limit_reached`. */
  push(person: string, view: Json): Modal {
    const stack = this.stack(person);
    const top = stack.at(-1);
    if (top === undefined) throw new Refusal('not_found');
    if (stack.length >= MAX_STACKED) throw new Refusal('push_limit_reached');
    const modal = { ...top, id: newViewId(), ...drawn(view), previousId: top.id, errors: {} };
    this.#set(person, [...stack, modal]);
    return modal;
  }

  update(modal: Modal, view: Json): Modal {
    return this.#change(modal, { ...drawn(view, this.find(modal.id)), errors: {} });
  }

  showErrors(modal: Modal, errors: Readonly<Record<string, string>>): Modal {
    return this.#change(modal, { errors });
  }

  close(modal: Modal): void {
    const stack = this.stack(modal.person);
    const at = stack.findIndex((each) => each.id === modal.id);
    if (at >= 0) this.#set(modal.person, stack.slice(0, at));
  }

  clear(person: string): void {
    this.#set(person, []);
  }

  /** Changes the current view, which can be newer than the caller's. */
  #change(modal: Modal, change: Partial<Modal>): Modal {
    const stack = this.stack(modal.person).map((each) => (each.id === modal.id ? { ...each, ...change } : each));
    this.#set(modal.person, stack);
    return this.find(modal.id) ?? { ...modal, ...change };
  }

  #set(person: string, stack: readonly Modal[]): void {
    this.#stacks.set(person, stack);
    this.#changes.notify();
  }
}

/** Each person's Home tab, once the bot has published one. It keeps its ID when it is published again. */
export class Homes {
  readonly #byPerson = new Map<string, View>();
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  of(person: string): View | undefined {
    return this.#byPerson.get(person);
  }

  find(viewId: string): View | undefined {
    return [...this.#byPerson.values()].find(({ id }) => id === viewId);
  }

  publish(person: string, view: Json): View {
    const before = this.of(person);
    const home = before === undefined ? newView(person, view) : { ...before, ...drawn(view, before) };
    this.#byPerson.set(person, home);
    this.#changes.notify();
    return home;
  }
}
