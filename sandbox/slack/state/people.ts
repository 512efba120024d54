import type { SeedPerson } from '../seed.ts';
import type { Changes } from './changes.ts';

/** Everybody who was ever in the workspace, including deactivated accounts. */
export class People {
  readonly #all: readonly SeedPerson[];
  readonly #deactivated = new Set<string>();
  readonly #changes: Changes;

  constructor(people: readonly SeedPerson[], changes: Changes) {
    this.#all = people;
    this.#changes = changes;
  }

  /** In the seed's order. */
  get all(): readonly SeedPerson[] {
    return this.#all;
  }

  find(id: string): SeedPerson | undefined {
    return this.#all.find((person) => person.id === id);
  }

  named(name: string): SeedPerson | undefined {
    return this.#all.find((person) => person.name === name);
  }

  isActive(id: string): boolean {
    return !this.#deactivated.has(id);
  }

  deactivate(id: string): void {
    this.#deactivated.add(id);
    this.#changes.notify();
  }
}
