import type { Seal } from '../../domain/access/seal.ts';
import { ServiceError } from '../../domain/errors.ts';
import { refuseUnwatchable, WATCH_KEYS } from '../../domain/watches/watch-settings.ts';
import { type MakeWatchParts, makeWatch, type WantedWatch } from '../../use-cases/watches/make-watch.ts';
import { actions } from '../blocks/blocks.ts';
import { runButton } from '../blocks/buttons/run-button.ts';
import type { Command } from '../interactions/command.ts';
import type { CommandInteraction, Interaction } from '../interactions/interaction.ts';
import { cardFor, type ErrorParts } from '../interactions/on-error.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { watchingMessage } from './address-message.ts';
import { channelOf } from './channel-of.ts';
import { CREATE_ANYWAY, INVITE_FIRST, madeMessage, thereAlready, unconfirmedMessage } from './message.ts';
import { type PreviewParts, previewOrNone } from './preview-listeners.ts';
import { parseToCreate } from './watch-value.ts';

export interface MakeParts extends MakeWatchParts, NoticeParts, ErrorParts {
  readonly environments: MakeWatchParts['environments'];
  readonly logger: MakeWatchParts['logger'];
  readonly seal: Seal;
  readonly db: PreviewParts['db'];
  readonly store: MakeWatchParts['store'];
  readonly retentionDays: PreviewParts['retentionDays'];
}

export function watchCommand(parts: MakeParts): Command {
  return {
    word: 'watch',
    usage: '[filters]',
    about:
      'alert this channel to failures of its environment: all, or workflow:, channel:, severity:, subscriber:, email: …; env:all, min:5 within:10m rate:5% every:15m mention:@group quiet:22:00-07:00 summary:09:00',
    examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall quiet:22:00-07:00'],
    for: 'members',
    filters: WATCH_KEYS,
    follows: 'filters',
    refuses: refuseUnwatchable,
    environments: 'several',
    answer: async ({ filters, environment }, interaction) => {
      const wanted = { filters, usualEnvironments: [environment.name], isConfirmed: false, zoneFrom: null };
      await orTryAgain(() => make(wanted, interaction, parts), interaction, parts);
    },
  };
}

/** If an email address can't be looked up, offers the command again, as it was typed. Slack keeps only the sealed text. */
async function orTryAgain(work: () => Promise<void>, { text, reply }: CommandInteraction, parts: MakeParts) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { blocks, ...card } = cardFor(error, parts);
    await reply.show({ ...card, blocks: [...blocks, ...actions(runButton('Try again', text, parts.seal))] });
  }
}

export function makeRoutes(parts: MakeParts): Route[] {
  return routesFor('members', [
    actionRoute(CREATE_ANYWAY, parseToCreate, (toCreate, interaction) =>
      make({ ...toCreate, usualEnvironments: [], isConfirmed: true }, interaction, parts),
    ),
  ]);
}

type Wanted = Pick<WantedWatch, 'filters' | 'usualEnvironments' | 'isConfirmed' | 'zoneFrom'>;

async function make(wanted: Wanted, interaction: Interaction, parts: MakeParts): Promise<void> {
  const channel = channelOf(interaction);
  const making = await makeWatch({ channel, by: interaction.userId, ...wanted }, parts);
  switch (making.is) {
    case 'made': {
      const { watch, zoneFrom, addresses } = making;
      parts.logger.info({ watchId: watch.id, channel, by: interaction.userId }, 'watch made');
      if (addresses.length > 0) await interaction.reply.show(watchingMessage(addresses));
      await postInChannel(
        channel,
        madeMessage(watch, {
          zoneFrom,
          environments: parts.environments,
          preview: await previewOrNone(watch.settings, parts),
        }),
        interaction,
        parts,
      );
      return;
    }
    case 'there-already':
      return interaction.reply.show(thereAlready(making.number));
    case 'unconfirmed':
      return interaction.reply.show(unconfirmedMessage(making, await previewOrNone(making.settings, parts)));
    case 'not-in-channel':
      return interaction.reply.show(INVITE_FIRST);
  }
}
