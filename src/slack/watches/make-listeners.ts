import { InputError } from '../../domain/errors.ts';
import { parseCommandText, refuseOthers } from '../../domain/input/filters.ts';
import { WATCH_KEYS } from '../../domain/watches/watch-settings.ts';
import { type MakeWatchParts, makeWatch, type WantedWatch } from '../../use-cases/watches/make-watch.ts';
import type { Command } from '../interactions/command.ts';
import type { Gesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { channelOf } from './channel-of.ts';
import { ALL_THE_SAME, inviteFirst, madeMessage, readAllTheSame, thereAlready, unconfirmedMessage } from './message.ts';
import { type TellingParts, tell } from './post-notice.ts';

export interface MakeParts extends MakeWatchParts, TellingParts {}

/** `/notif watch [filters]` */
export function watchCommand(parts: MakeParts): Command {
  return {
    word: 'watch',
    usage: '[filters]',
    about:
      'alert this channel to failures of its environment: all, or workflow:, channel:, severity: …; env:all, min:5 within:10m rate:5% every:15m mention:@group quiet:22:00-07:00 summary:09:00',
    examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall quiet:22:00-07:00'],
    for: 'members',
    takesEnvironments: true,
    answer: async ({ words, filters, environment }, gesture) => {
      const [word] = words;
      if (word !== undefined) {
        throw new InputError(
          'watch',
          `${word} is no setting: /notif watch takes key:value.`,
          `/notif watch workflow:${word}`,
        );
      }
      refuseOthers(filters, WATCH_KEYS, '/notif watch');
      await make({ filters, usualEnvironments: [environment.name], isConfirmed: false }, gesture, parts);
    },
  };
}

/** [Create anyway] */
export function makeDoors(parts: MakeParts): Door[] {
  return doorsFor('members', [
    actionDoor(ALL_THE_SAME, readAllTheSame, (words, gesture) =>
      make({ filters: parseCommandText(words).filters, usualEnvironments: [], isConfirmed: true }, gesture, parts),
    ),
  ]);
}

type Wanted = Pick<WantedWatch, 'filters' | 'usualEnvironments' | 'isConfirmed'>;

async function make(wanted: Wanted, gesture: Gesture, parts: MakeParts): Promise<void> {
  const channel = channelOf(gesture);
  const making = await makeWatch({ channel, by: gesture.userId, ...wanted }, parts);
  switch (making.is) {
    case 'made': {
      const { watch, zoneFrom } = making;
      parts.logger.info({ watchId: watch.id, channel, by: gesture.userId }, 'watch made');
      return tell(channel, madeMessage(watch, { zoneFrom, environments: parts.environments }), gesture, parts);
    }
    case 'there-already':
      return gesture.reply.show(thereAlready(making.number));
    case 'unconfirmed':
      return gesture.reply.show(unconfirmedMessage(making));
    case 'not-in-channel':
      return gesture.reply.show(inviteFirst());
  }
}
