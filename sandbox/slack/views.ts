import { Refusal } from './arguments.ts';
import { completeState, shortId } from './block-kit/controls.ts';
import { objectsIn } from './json.ts';
import type { Json, StateValues } from './page-protocol.ts';
import type { Changes } from './state.ts';

export interface View {
  id: string;
  person: string;
  view: Json;
  /** The values that its fields had when they were first drawn: a redrawn field keeps its first one. */
  starts: StateValues;
  /** Of a refused submission, by block. */
  errors: Readonly<Record<string, string>>;
}

/** Slack's limit. */
const MAX_STACKED = 3;

/** Each person's stack of modals, of which the last is on top, and their Home. */
export class Views {
  readonly #stacks = new Map<string, readonly View[]>();
  readonly #homes = new Map<string, View>();
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  stack(person: string): readonly View[] {
    return this.#stacks.get(person) ?? [];
  }

  home(person: string): View | undefined {
    return this.#homes.get(person);
  }

  modal(viewId: string): View | undefined {
    return [...this.#stacks.values()].flat().find(({ id }) => id === viewId);
  }

  find(viewId: string): View | undefined {
    return this.modal(viewId) ?? [...this.#homes.values()].find(({ id }) => id === viewId);
  }

  open(person: string, view: Json): View {
    return this.#setTop(person, [], newView(person, view));
  }

  push(person: string, view: Json): View {
    const stack = this.stack(person);
    if (stack.length === 0) throw new Refusal('not_found');
    if (stack.length >= MAX_STACKED) throw new Refusal('push_limit_reached');
    return this.#setTop(person, stack, newView(person, view));
  }

  publish(person: string, view: Json): View {
    const before = this.home(person);
    const home = before === undefined ? newView(person, view) : { ...before, ...drawn(view, before) };
    this.#homes.set(person, home);
    this.#changes.notify();
    return home;
  }

  update({ id, person }: View, view: Json): View | undefined {
    return this.#change(id, person, (before) => ({ ...before, ...drawn(view, before) }));
  }

  showErrors({ id, person }: View, errors: View['errors']): void {
    this.#change(id, person, (before) => ({ ...before, errors }));
  }

  /** Closes a modal with all above it. */
  close(person: string, viewId: string): void {
    const stack = this.stack(person);
    const at = stack.findIndex(({ id }) => id === viewId);
    if (at >= 0) this.#set(person, stack.slice(0, at));
  }

  closeAll(person: string): void {
    this.#set(person, []);
  }

  #change(viewId: string, person: string, change: (view: View) => View): View | undefined {
    const stack = this.stack(person).map((each) => (each.id === viewId ? change(each) : each));
    this.#set(person, stack);
    return this.modal(viewId);
  }

  #setTop(person: string, below: readonly View[], top: View): View {
    this.#set(person, [...below, top]);
    return top;
  }

  #set(person: string, stack: readonly View[]): void {
    this.#stacks.set(person, stack);
    this.#changes.notify();
  }
}

const newView = (person: string, view: Json): View => ({ id: `V${shortId()}`, person, ...drawn(view) });

function drawn(view: Json, before?: View): Pick<View, 'view' | 'starts' | 'errors'> {
  return { view, starts: completeState(objectsIn(view, 'blocks'), before?.starts ?? {}), errors: {} };
}
