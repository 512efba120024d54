import type { SeedChannel, SeedPerson } from '../seed.ts';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'direct';
  readonly members: readonly string[];
}

/** The channels of the seed, and a direct message between the bot and each person. */
export class Conversations {
  readonly #byId: ReadonlyMap<string, Channel>;
  readonly #directIdByPerson: ReadonlyMap<string, string>;

  constructor(channels: readonly SeedChannel[], people: readonly SeedPerson[], botUserId: string) {
    const direct = people.map((person) => directMessage(person, botUserId));
    this.#byId = new Map([...channels.map(toChannel), ...direct].map((channel) => [channel.id, channel]));
    this.#directIdByPerson = new Map(people.map((person) => [person.id, directIdOf(person)]));
  }

  /** A channel by its id, or the direct message with the bot by a person's id. */
  find(id: string): Channel | undefined {
    return this.#byId.get(this.#directIdByPerson.get(id) ?? id);
  }

  named(name: string): Channel | undefined {
    return [...this.#byId.values()].find((channel) => channel.kind !== 'direct' && channel.name === name);
  }

  /** The conversations that the person is in, in the seed's order. */
  of(personId: string): readonly Channel[] {
    return [...this.#byId.values()].filter((channel) => channel.members.includes(personId));
  }
}

function toChannel({ id, name, members, isPrivate = false }: SeedChannel): Channel {
  return { id, name, members, kind: isPrivate ? 'private' : 'public' };
}

function directMessage(person: SeedPerson, botUserId: string): Channel {
  return { id: directIdOf(person), name: 'directmessage', kind: 'direct', members: [person.id, botUserId] };
}

function directIdOf(person: SeedPerson): string {
  return `D${person.id.slice(1)}`;
}
