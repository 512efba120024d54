import { ENTERPRISE, type SeedPerson, TEAM } from '../seed.ts';
import type { Changes } from './changes.ts';
import type { Channel } from './conversations.ts';

export class People {
  readonly #all: readonly SeedPerson[];
  readonly #deactivated = new Set<string>();
  readonly #changes: Changes;

  constructor(people: readonly SeedPerson[], changes: Changes) {
    this.#all = people;
    this.#changes = changes;
  }

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

export type Standing = 'member' | 'guest' | 'other organization';

export function standingOf(person: SeedPerson): Standing {
  const { teamId = TEAM.id, enterpriseId, isGuest = false } = person;
  if (teamId !== TEAM.id && enterpriseId !== ENTERPRISE.id) return 'other organization';
  return isGuest ? 'guest' : 'member';
}

/** Returns true for a channel with people of another organization (Slack Connect). */
export function isShared({ kind, members }: Channel, people: People): boolean {
  const isStranger = (person: SeedPerson | undefined) =>
    person !== undefined && standingOf(person) === 'other organization';
  return kind !== 'direct' && members.some((id) => isStranger(people.find(id)));
}

/** The scopes of the bot's token: those of the manifest, until somebody installs the app with others. */
export class Grants {
  #scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    this.#scopes = scopes;
  }

  get scopes(): readonly string[] {
    return this.#scopes;
  }

  has(scope: string): boolean {
    return this.#scopes.includes(scope);
  }

  grant(...scopes: readonly string[]): void {
    this.#scopes = [...new Set([...this.#scopes, ...scopes])];
  }

  revoke(...scopes: readonly string[]): void {
    this.#scopes = this.#scopes.filter((scope) => !scopes.includes(scope));
  }
}
