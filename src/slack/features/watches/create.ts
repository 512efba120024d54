import { ServiceError } from '../../../lib/errors.ts';
import { type AddressFound, filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import type { Preview } from '../../../watches/preview.ts';
import type { Watch } from '../../../watches/settings.ts';
import { createWatch, type Unconfirmed, type WantedWatch } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, lineSections, type MessageContent, message, sentence } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { code, joined, mrkdwn, person } from '../../kit/text.ts';
import { errorCard } from '../../kit/words/error-card.ts';
import { SHARED_WORDS } from '../../kit/words/shared-channel.ts';
import { didYouMean } from '../../kit/words/unseen-names.ts';
import type { Command, Flow } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../../router/route.ts';
import { editRoutes } from './edit.ts';
import { channelOf, endButton, listRoutes, unwatchCommand, watchesCommand } from './list.ts';
import {
  parseFilters,
  previewButtons,
  previewLine,
  previewOrNone,
  watchingBlocks,
  watchingLines,
  watchMessage,
  writeFilters,
} from './message.ts';
import { type MuteCtx, muteCommand, muteRoutes, unmuteCommand } from './mute.ts';

/** Its value is the watch's filters. */
const CREATE_ANYWAY = 'watch.all-the-same';

export function watchesFlow(ctx: MuteCtx): Flow {
  return {
    commands: [watchCommand(ctx), watchesCommand(ctx), unwatchCommand(ctx), muteCommand(ctx), unmuteCommand(ctx)],
    routes: [...createRoutes(ctx), ...listRoutes(ctx), ...muteRoutes(ctx), ...editRoutes(ctx)],
  };
}

function watchCommand(ctx: SlackCtx): Command {
  return {
    word: 'watch',
    usage: '[filters]',
    about:
      'alert this channel to failures of its environment: all, or workflow:, channel:, severity:, subscriber:, email: …; env:all, min:5 within:10m rate:5% every:15m mention:@group quiet:22:00-07:00 summary:09:00',
    examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall quiet:22:00-07:00'],
    for: 'members',
    filters: WATCH_KEYS,
    follows: 'filters',
    environments: 'several',
    answer: async ({ filters, environment }, interaction) => {
      try {
        await create(ctx, { filters, usualEnvironments: [environment.name], isConfirmed: false }, interaction);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // An email address couldn't be looked up. Slack keeps only the sealed text of the command.
        const { blocks, ...card } = cardFor(ctx, error);
        const again = actions(runButton('Try again', interaction.text));
        await interaction.reply.show({ ...card, blocks: [...blocks, ...again] });
      }
    },
  };
}

function createRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [
    actionRoute(CREATE_ANYWAY, parseFilters, (filters, interaction) =>
      create(ctx, { filters, usualEnvironments: [], isConfirmed: true }, interaction),
    ),
  ]);
}

async function create(ctx: SlackCtx, wanted: Omit<WantedWatch, 'channel' | 'by'>, interaction: Interaction) {
  const channel = channelOf(interaction);
  const { reply, userId: by } = interaction;
  const creating = await createWatch(ctx, { channel, by, ...wanted });
  switch (creating.is) {
    case 'made': {
      const { watch, addresses } = creating;
      if (addresses.length > 0) await reply.show(watchingMessage(addresses));
      const preview = await previewOrNone(ctx, watch.settings);
      await postInChannel(ctx, channel, madeMessage(watch, { environments: ctx.environments, preview }), interaction);
      return;
    }
    case 'there-already':
      return reply.show(
        sentence(mrkdwn`This channel has this watch already: number ${creating.number} of ${code('/notif watches')}.`),
      );
    case 'unconfirmed':
      return reply.show(unconfirmedMessage(creating, await previewOrNone(ctx, creating.settings)));
    case 'not-in-channel':
      return reply.show(INVITE_FIRST);
  }
}

export function madeMessage(watch: Watch, shown: Omit<Parameters<typeof watchMessage>[2], 'notes' | 'more'>) {
  const who = mrkdwn`👁️ ${person(watch.createdBy ?? '')} created a watch here`;
  const notes = watch.settings.mention === null ? [NOTIFIES_NOBODY] : [];
  return watchMessage(who, watch, { ...shown, notes, more: [endButton(watch)] });
}

const NOTIFIES_NOBODY = mrkdwn`💡 Its alerts mention nobody. To notify a person or a user group, choose one with *Edit*, or create the watch with ${code('mention:@oncall')}.`;

export function unconfirmedMessage(
  { unknown, sharing, settings, addresses }: Unconfirmed,
  preview: Preview | null = null,
): MessageContent {
  const shared = sharing === 'none' ? [] : [mrkdwn`🤝 *${SHARED_WORDS[sharing]}*`];
  const names = unknown.map(({ name, similar }) => mrkdwn`No workflow ${code(name)} seen yet.${didYouMean(similar)}`);
  const never = names.length === 0 ? [] : [mrkdwn`🤔 *This watch may never fire.*`];
  const create = button('Create anyway', CREATE_ANYWAY, writeFilters(filtersOf(settings)));
  return message(joined([...shared, ...never, ...names, ...watchingLines(addresses)], ' '), [
    ...lineSections([...shared, ...never, ...names]),
    ...watchingBlocks(addresses),
    ...previewLine(preview).map((line) => context(line)),
    ...actions([...previewButtons(preview, settings), create]),
  ]);
}

const INVITE_FIRST = errorCard(
  {
    what: "Notif isn't in this conversation, so it can't post alerts here.",
    next: mrkdwn`In a channel, run ${code('/invite @Notif')} and try again. In a direct or group message ${code('/invite')} doesn't work: use a channel, or your messages with Notif.`,
  },
  null,
);

/** For the person alone who typed the addresses. */
function watchingMessage(addresses: readonly AddressFound[]): MessageContent {
  return message(joined(watchingLines(addresses), ' '), watchingBlocks(addresses));
}
