import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { EVENTS_LOOKED_AT } from '../../../lib/input/typed-values.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import {
  type AddressFound,
  createWatch,
  type Unconfirmed,
  type WantedWatch,
  ZONE_SOURCES,
  type ZoneSource,
} from '../../../watches/create.ts';
import { refuseUnwatchable, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import type { Preview } from '../../../watches/preview.ts';
import type { Watch } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  lineSections,
  type MessageContent,
  message,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { parseValue } from '../../kit/button-value.ts';
import { runButton } from '../../kit/buttons.ts';
import { code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { errorCard } from '../../kit/words/error-card.ts';
import { SHARED_WORDS } from '../../kit/words/shared-channel.ts';
import { didYouMean } from '../../kit/words/unseen-names.ts';
import type { Command } from '../../router/command.ts';
import type { CommandInteraction, Interaction } from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../../router/route.ts';
import { channelOf, endButton } from './buttons.ts';
import { filtersIn, previewButtons, previewLine, previewOrNone, watchMessage, writeSettings } from './preview.ts';

/** Its value is the watch, and where its time zone comes from. */
const CREATE_ANYWAY = 'watch.all-the-same';

export function watchCommand(ctx: SlackCtx): Command {
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
      await orTryAgain(ctx, () => create(ctx, wanted, interaction), interaction);
    },
  };
}

/** If an email address can't be looked up, offers the command again, as it was typed. Slack keeps only the sealed text. */
async function orTryAgain(ctx: SlackCtx, work: () => Promise<void>, { text, reply }: CommandInteraction) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { blocks, ...card } = cardFor(ctx, error);
    await reply.show({ ...card, blocks: [...blocks, ...actions(runButton('Try again', text, ctx.seal))] });
  }
}

export function createRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [
    actionRoute(CREATE_ANYWAY, parseToCreate, (toCreate, interaction) =>
      create(ctx, { ...toCreate, usualEnvironments: [], isConfirmed: true }, interaction),
    ),
  ]);
}

type Wanted = Omit<WantedWatch, 'channel' | 'by'>;

async function create(ctx: SlackCtx, wanted: Wanted, interaction: Interaction): Promise<void> {
  const channel = channelOf(interaction);
  const { reply } = interaction;
  const creating = await createWatch(ctx, { channel, by: interaction.userId, ...wanted });
  switch (creating.is) {
    case 'made': {
      const { watch, zoneFrom, addresses } = creating;
      if (addresses.length > 0) await reply.show(watchingMessage(addresses));
      const preview = await previewOrNone(ctx, watch.settings);
      const made = madeMessage(watch, { zoneFrom, environments: ctx.environments, preview });
      await postInChannel(ctx, channel, made, interaction);
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

/** Null for a button of another version. */
export function parseToCreate(value: string): { readonly filters: FilterMap; readonly zoneFrom: ZoneSource } | null {
  const [first, ...parts] = parseValue(value) ?? [];
  const zoneFrom = ZONE_SOURCES.find((source) => source === first);
  const filters = filtersIn(parts);
  return zoneFrom === undefined || filters === null ? null : { filters, zoneFrom };
}

interface MadeOptions {
  readonly zoneFrom: ZoneSource;
  readonly environments: readonly Environment[];
  readonly preview?: Preview | null;
}

export function madeMessage(watch: Watch, { zoneFrom, ...shown }: MadeOptions): MessageContent {
  const who = mrkdwn`👁️ ${person(watch.createdBy ?? '')} created a watch here`;
  const notes = [...(watch.settings.mention === null ? [NOTIFIES_NOBODY] : []), ZONE_WORDS[zoneFrom]];
  return watchMessage(who, watch, shown, { notes, more: [endButton(watch)] });
}

const NOTIFIES_NOBODY = mrkdwn`💡 Its alerts mention nobody. To notify a person or a user group, choose one with *Edit*, or create the watch with ${code('mention:@oncall')}.`;

const ZONE_WORDS: { readonly [Source in ZoneSource]: Markup } = {
  said: mrkdwn`Times are in the time zone that you named; later watches in this channel use it too.`,
  channel: mrkdwn`Times are in the time zone last used in this channel. To use another, add ${code('tz:')}.`,
  person: mrkdwn`Times are in its creator's time zone. To use another, add ${code('tz:')}.`,
  nowhere: mrkdwn`Times are in UTC, because Slack has no time zone for you. To use another, add ${code('tz:')}.`,
};

export function unconfirmedMessage(
  { unknown, sharing, settings, zoneFrom, addresses }: Unconfirmed,
  preview: Preview | null = null,
): MessageContent {
  const shared = sharing === 'none' ? [] : [mrkdwn`🤝 *${SHARED_WORDS[sharing]}*`];
  const names = unknown.map(({ name, similar }) => mrkdwn`No workflow ${code(name)} seen yet.${didYouMean(similar)}`);
  const never = names.length === 0 ? [] : [mrkdwn`🤔 *This watch may never fire.*`];
  const create = button('Create anyway', CREATE_ANYWAY, writeSettings(settings, [zoneFrom]));
  return message(joined([...shared, ...never, ...names, ...watchingLines(addresses)], ' '), [
    section(joined([...shared, ...never, ...names.slice(0, MOST_UNKNOWN)], '\n')),
    ...watchingBlocks(addresses),
    ...(names.length === 0 ? [] : [context(KNOWN_FROM)]),
    ...previewLine(preview).map((line) => context(line)),
    ...actions([create, ...previewButtons(preview, settings)]),
  ]);
}

const KNOWN_FROM = mrkdwn`Workflows are known from events that were checked. A new one can be watched before it is seen.`;

const MOST_UNKNOWN = 10;

const INVITE_OR_GO_ELSEWHERE = mrkdwn`In a channel, run ${code('/invite @Notif')} and try again. In a direct or group message ${code('/invite')} doesn't work: use a channel, or your messages with Notif.`;

const INVITE_FIRST = errorCard(
  {
    what: "Notif isn't in this conversation, so it can't post alerts here.",
    next: INVITE_OR_GO_ELSEWHERE,
  },
  null,
);

const LONGEST_ID = 100;

/** For the person alone who typed the addresses. */
function watchingMessage(addresses: readonly AddressFound[]): MessageContent {
  const blocks = watchingBlocks(addresses);
  return message(mrkdwn`${joined(watchingLines(addresses), ' ')} ${LOOKED_UP_ONCE}`, blocks);
}

export function watchingBlocks(addresses: readonly AddressFound[]): KnownBlock[] {
  return addresses.length === 0 ? [] : [...lineSections(watchingLines(addresses)), context(LOOKED_UP_ONCE)];
}

const LOOKED_UP_ONCE = mrkdwn`Looked up once, in the newest ${EVENTS_LOOKED_AT} events of each address. If an address is another subscriber's later, this watch doesn't follow: change it with *Edit*.`;

function watchingLines(addresses: readonly AddressFound[]): Markup[] {
  return addresses.flatMap(({ email, subscriberIds }) =>
    subscriberIds.map((id) => mrkdwn`👤 Watching subscriber ${code(id, LONGEST_ID)} for ${code(maskEmail(email))}.`),
  );
}
