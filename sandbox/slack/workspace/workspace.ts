import { deactivate } from '../interactivity/channel-changes.ts';
import type { SeedPerson } from '../seed.ts';
import type { Changes } from '../state/changes.ts';
import type { SlackState } from '../state/slack-state.ts';
import { Hands } from './hands.ts';

/** The workspace for tests: acting as its people, and waiting until something is visible. */
export class Workspace {
  readonly #slack: SlackState;
  readonly #hands = new Map<string, Hands>();

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  /** Returns the object to act as a person. It is always the same one, so a form's input stays. */
  as(personId: string): Hands {
    const known = this.#hands.get(personId);
    if (known !== undefined) return known;
    const hands = new Hands(this.#person(personId), this.#slack);
    this.#hands.set(personId, hands);
    return hands;
  }

  deactivate(personId: string): void {
    deactivate(this.#person(personId), this.#slack);
  }

  /** Deletes a channel, as an administrator does. Throws if there is none. */
  deleteChannel(channelId: string): void {
    const channel = this.#slack.conversations.byId(channelId);
    if (channel === undefined) throw new Error(`there is no channel ${channelId} in this workspace`);
    this.#slack.conversations.delete(channel);
  }

  grant(...scopes: readonly string[]): void {
    this.#slack.grants.grant(...scopes);
  }

  /** Removes scopes from the bot: calls that need them are refused with `missing_scope`. */
  revoke(...scopes: readonly string[]): void {
    this.#slack.grants.revoke(...scopes);
  }

  get botConnections(): number {
    return this.#slack.sockets.connections;
  }

  /**
   * Waits until `look` returns something (not undefined, null or false) and returns that. It looks again after every change of the
   * workspace. After `timeoutMs` it fails with an error that says `what` it waited for.
   */
  until<T>(look: () => T | undefined | null | false, options: { what: string; timeoutMs?: number }): Promise<T> {
    return untilSeen(look, this.#slack.changes, options);
  }

  #person(id: string): SeedPerson {
    const person = this.#slack.people.find(id);
    if (person === undefined) throw new Error(`there is nobody called ${id} in this workspace`);
    return person;
  }
}

const DEFAULT_TIMEOUT_MS = 5_000;

function untilSeen<T>(
  look: () => T | undefined | null | false,
  changes: Changes,
  { what, timeoutMs = DEFAULT_TIMEOUT_MS }: { what: string; timeoutMs?: number },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      clearTimeout(timer);
      unsubscribe();
      settle();
    };
    const lookAgain = () => {
      try {
        const seen = look();
        if (seen !== undefined && seen !== null && seen !== false) stop(() => resolve(seen));
      } catch (error) {
        stop(() => reject(error));
      }
    };
    const timer = setTimeout(
      () => stop(() => reject(new Error(`waited ${timeoutMs} ms in vain for ${what}`))),
      timeoutMs,
    );
    const unsubscribe = changes.subscribe(lookAgain);
    lookAgain();
  });
}
