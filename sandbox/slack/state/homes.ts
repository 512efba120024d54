import type { Json } from '../page-protocol.ts';
import type { Changes } from './changes.ts';
import { drawn, newView, type View } from './view.ts';

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
