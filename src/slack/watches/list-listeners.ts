import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { Mute } from '../../domain/incidents/episode.ts';
import { refuseOthers } from '../../domain/input/filters.ts';
import { meantBy, type NumberedWatch, numbered } from '../../domain/watches/numbered-watches.ts';
import { type EndWatchParts, endWatch, watchToEnd } from '../../use-cases/watches/end-watch.ts';
import { readWatchId } from '../blocks/buttons/watch-buttons.ts';
import type { Command } from '../interactions/command.ts';
import type { Gesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { channelOf } from './channel-of.ts';
import { type ListedWatch, listMessage } from './list-message.ts';
import { END, endedBefore, endedMessage, isConfigured } from './message.ts';
import { type TellingParts, tell } from './post-notice.ts';

export interface ListParts extends EndWatchParts, TellingParts {
  readonly environments: readonly Environment[];
  readonly store: EndWatchParts['store'] & {
    mutesOf(watchId: string, now: Date): Promise<readonly (Mute & { readonly groupKey: string | null })[]>;
  };
}

/** `/notif watches` */
export function watchesCommand(parts: ListParts): Command {
  return {
    word: 'watches',
    usage: '',
    about: "this channel's watches, to change, mute or end them",
    examples: [''],
    for: 'members',
    answer: async ({ words, filters }, gesture) => {
      refuseOthers(filters, [], '/notif watches');
      const from = numberIn(words, '/notif watches') ?? 1;
      const all = await parts.store.watches(channelOf(gesture));
      if (from > 1) meantBy(from, all);
      const listed = await Promise.all(
        numbered(all)
          .slice(from - 1)
          .map((one) => listedOf(one, parts)),
      );
      await gesture.reply.show(listMessage(listed, { environments: parts.environments, now: parts.now() }));
    },
  };
}

/** `/notif unwatch [number]` */
export function unwatchCommand(parts: ListParts): Command {
  return {
    word: 'unwatch',
    usage: '[number]',
    about: 'end a watch of this channel',
    examples: ['', '2'],
    for: 'members',
    answer: async ({ words, filters }, gesture) => {
      refuseOthers(filters, [], '/notif unwatch');
      const watch = await watchToEnd(channelOf(gesture), numberIn(words, '/notif unwatch'), parts);
      await end(watch.id, gesture, parts);
    },
  };
}

/** [End] */
export function listDoors(parts: ListParts): Door[] {
  return doorsFor('members', [actionDoor(END, readWatchId, (watchId, gesture) => end(watchId, gesture, parts))]);
}

async function listedOf(one: NumberedWatch, { store, now }: ListParts): Promise<ListedWatch> {
  const mutes = await store.mutesOf(one.watch.id, now());
  const [mute = null] = mutes.filter(({ groupKey }) => groupKey === null);
  return { ...one, mute, mutedGroups: mutes.filter(({ groupKey }) => groupKey !== null).length };
}

async function end(watchId: string, gesture: Gesture, parts: ListParts): Promise<void> {
  const by = gesture.userId;
  const ending = await endWatch(watchId, by, parts);
  switch (ending.is) {
    case 'ended': {
      const { watch } = ending;
      parts.logger.info({ watchId, channel: watch.channel, by }, 'watch ended');
      return tell(watch.channel, endedMessage(watch, by, parts.environments), gesture, parts);
    }
    case 'ended-before':
      return gesture.reply.show(endedBefore());
    case 'configured':
      return gesture.reply.show(isConfigured());
  }
}

/** The number behind a command. Throws an `InputError` for anything else. */
function numberIn(words: readonly string[], command: string): number | null {
  const [word, ...others] = words;
  if (word === undefined) return null;
  if (!/^\d{1,3}$/.test(word) || others.length > 0) {
    throw new InputError(
      'number',
      `${command} takes the number of a watch, as /notif watches shows it.`,
      `${command} 2`,
    );
  }
  return Number(word);
}
