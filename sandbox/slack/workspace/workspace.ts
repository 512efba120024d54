import { sendEvent } from '../bot/events.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state.ts';
import { Hands } from './hands.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** What people and administrators do in the workspace, for tests. */
export class Workspace {
  readonly #slack: SlackState;
  readonly #hands = new Map<string, Hands>();

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  as(personId: string): Hands {
    const hands = this.#hands.get(personId) ?? new Hands(this.#person(personId), this.#slack);
    this.#hands.set(personId, hands);
    return hands;
  }

  deactivate(personId: string): void {
    this.#slack.deactivate(this.#person(personId).id);
  }

  /** Refuses the bot's direct messages to these people, or to everybody, with Slack's error until it's called with null. */
  refuseDirectMessages(error: string | null, ...personIds: readonly string[]): void {
    this.#slack.refuseDirectMessages(error, personIds);
  }

  /** Gives the group other members; null disables it. */
  changeUserGroup(groupId: string, members: readonly string[] | null): void {
    this.#slack.userGroups = this.#slack.userGroups.flatMap((group) => {
      if (group.id !== groupId) return [group];
      return members === null ? [] : [{ ...group, members }];
    });
  }

  deleteChannel(channelId: string): void {
    this.#slack.deleteChannel(channelId);
  }

  /** Sends the bot no event, as if it had been away. */
  changeChannelId(from: string, to: string): void {
    this.#slack.changeChannelId(from, to);
  }

  /** Sends the bot the event of such a change. */
  async tellChannelId(from: string, to: string): Promise<void> {
    await sendEvent({ type: 'channel_id_changed', old_channel_id: from, new_channel_id: to }, this.#slack);
  }

  deleteMessage(channel: string, ts: string): void {
    this.#slack.remove({ channel, ts });
  }

  lockThread(channel: string, ts: string): void {
    this.#slack.lockThread({ channel, ts });
  }

  revoke(...scopes: readonly string[]): void {
    for (const scope of scopes) this.#slack.scopes.delete(scope);
  }

  get botConnections(): number {
    return this.#slack.sockets.connections;
  }

  /** Waits until `look` returns something, looking after every change. Fails with `what` it waited for. */
  until<T>(
    look: () => T | undefined | null | false,
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
      const giveUp = () => stop(() => reject(new Error(`waited ${timeoutMs} ms in vain for ${what}`)));
      const timer = setTimeout(giveUp, timeoutMs);
      const unsubscribe = this.#slack.changes.subscribe(lookAgain);
      lookAgain();
    });
  }

  #person(id: string): SeedPerson {
    const person = this.#slack.person(id);
    if (person === undefined) throw new Error(`there is nobody called ${id} in this workspace`);
    return person;
  }
}
