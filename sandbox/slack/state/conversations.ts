import type { SeedChannel, SeedPerson } from '../seed.ts';
import type { Changes } from './changes.ts';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'group' | 'direct';
  readonly members: readonly string[];
  readonly isArchived: boolean;
  /** Another organization was invited and hasn't accepted. */
  readonly isPendingShared: boolean;
}

export interface Beginning {
  readonly channels: readonly SeedChannel[];
  readonly people: readonly SeedPerson[];
  readonly botUserId: string;
}

export class Conversations {
  readonly #byId: Map<string, Channel>;
  readonly #directIdByPerson: ReadonlyMap<string, string>;
  readonly #changes: Changes;

  constructor({ channels, people, botUserId }: Beginning, changes: Changes) {
    const direct = people.map((person) => directMessage(person, botUserId));
    this.#byId = new Map([...channels.map(toChannel), ...direct].map((channel) => [channel.id, channel]));
    this.#directIdByPerson = new Map(people.map((person) => [person.id, directIdOf(person)]));
    this.#changes = changes;
  }

  /** In the seed's order, later ones last. */
  get all(): readonly Channel[] {
    return [...this.#byId.values()];
  }

  byId(id: string): Channel | undefined {
    return this.#byId.get(id);
  }

  /** Returns a channel by its ID, or the direct message with the bot by a person's ID. */
  find(id: string): Channel | undefined {
    return this.#byId.get(this.#directIdByPerson.get(id) ?? id);
  }

  named(name: string): Channel | undefined {
    return [...this.#byId.values()].find((channel) => channel.kind !== 'direct' && channel.name === name);
  }

  /** Returns the person's conversations, in the seed's order, later ones last. */
  of(personId: string): readonly Channel[] {
    return [...this.#byId.values()].filter((channel) => channel.members.includes(personId));
  }

  add(channel: SeedChannel): Channel {
    return this.#put(toChannel(channel));
  }

  archive(channel: Channel): Channel {
    return this.#put({ ...channel, isArchived: true });
  }

  unarchive(channel: Channel): Channel {
    return this.#put({ ...channel, isArchived: false });
  }

  admit(channel: Channel, member: string): Channel {
    return this.#put({ ...channel, members: [...new Set([...channel.members, member])] });
  }

  remove(channel: Channel, member: string): Channel {
    return this.#put({ ...channel, members: channel.members.filter((each) => each !== member) });
  }

  delete({ id }: Channel): void {
    this.#byId.delete(id);
    this.#changes.notify();
  }

  #put(channel: Channel): Channel {
    this.#byId.set(channel.id, channel);
    this.#changes.notify();
    return channel;
  }
}

function toChannel({ kind = 'public', isPendingShared = false, ...seed }: SeedChannel): Channel {
  return { ...seed, kind, isPendingShared, isArchived: false };
}

function directMessage(person: SeedPerson, botUserId: string): Channel {
  const members = [person.id, botUserId];
  const state = { isArchived: false, isPendingShared: false };
  return { id: directIdOf(person), name: 'directmessage', kind: 'direct', members, ...state };
}

function directIdOf(person: SeedPerson): string {
  return `D${person.id.slice(1)}`;
}
