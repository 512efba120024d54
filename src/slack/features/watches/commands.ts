import { unseenNames } from '../../../incidents/unseen-names.ts';
import { ALL_FAILURES, FAILURE_FILTERS } from '../../../judging/filter.ts';
import { InputError } from '../../../lib/errors.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { createWatch } from '../../../watches/create.ts';
import { lostWatches } from '../../../watches/lost-watches.ts';
import { mutesSet } from '../../../watches/mutes.ts';
import {
  MUTE_FILTERS,
  type MutedPart,
  type MuteTime,
  parseMuteWords,
  parsePart,
  WHOLE_WATCH,
} from '../../../watches/parse-mute.ts';
import { WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { describePart, muteIn, setMutes } from '../../../watches/set-mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { endWatch, existingWatch, numberedWatches, watchesIn, watchNumberIn } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { lineSections } from '../../kit/blocks.ts';
import { parseSingle } from '../../kit/button-values.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import type { CommandInteraction, Interaction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent, message } from '../../kit/message.ts';
import { postInChannel } from '../../kit/reply.ts';
import { code, type Markup, mrkdwn, person, present } from '../../kit/text.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import { editRoutes, openNew } from './edit.ts';
import { channelOf } from './environment-command.ts';
import {
  CREATE_ANYWAY,
  END,
  endedMessage,
  inviteFirst,
  MUTE,
  mutedMessage,
  parseFilters,
  postWatch,
  UNMUTE,
  unconfirmedMessage,
  unmutedMessage,
  watchesMessage,
  watchingLines,
} from './messages.ts';
import { previewOrNone } from './preview-message.ts';

/** Mutes or unmutes incidents in this channel's watches. */
type ChangeMutes = (
  words: readonly string[],
  verb: { what: 'muted'; time: MuteTime } | { what: 'unmuted' },
  interaction: CommandInteraction,
) => Promise<MessageContent>;

export function watchesFlow(ctx: SlackCtx, changeMutes: ChangeMutes): Flow {
  const routes = routesFor('members', [
    actionRoute(CREATE_ANYWAY, parseFilters, (filters, interaction) => create(ctx, filters, true, interaction)),
    actionRoute(END, parseSingle, (watchId, interaction) => remove(ctx, watchId, interaction)),
    actionRoute(MUTE, parseSingle, async (watchId, interaction) => {
      const { part, time } = parseMuteWords(['1h'], {});
      await mute(ctx, { watches: [await existingWatch(ctx.db, watchId)], part }, time, interaction);
    }),
    actionRoute(UNMUTE, parseSingle, async (watchId, interaction) => {
      const watch = await existingWatch(ctx.db, watchId);
      await unmute(ctx, { watches: [watch], part: WHOLE_WATCH }, watch.number, interaction);
    }),
    ...editRoutes(ctx),
  ]);
  const common = { for: 'members', filters: [] } as const;
  const commands: Command[] = [
    {
      ...common,
      word: 'watch',
      purpose: 'alerts',
      usage: '[filters]',
      about: 'alert this channel to the failures that the filters match; without any, a form',
      examples: ['', 'channel:email min:5 within:10m', 'severity:high mention:@oncall escalate:10m'],
      filters: WATCH_KEYS,
      follows: 'filters',
      environments: 'several',
      answer: (line, interaction) => answerWatch(ctx, line, interaction),
    },
    {
      ...common,
      word: 'watches',
      purpose: 'alerts',
      usage: '',
      about: "this channel's watches, to change, mute or remove them",
      examples: [''],
      answer: ({ words }, interaction) => listWatches(ctx, words, channelOf(interaction)),
    },
    {
      ...common,
      word: 'unwatch',
      purpose: 'alerts',
      usage: '[number]',
      about: 'remove a watch of this channel',
      examples: ['', '2'],
      answer: ({ words }, interaction) => answerUnwatch(ctx, words, interaction),
    },
    {
      ...common,
      word: 'mute',
      purpose: 'incident',
      usage: '[incident | number] [2h | from:02:00 until:04:00]',
      about:
        "mute this channel's watches, one of them, or an incident, provider or workflow in them, now or from a time on; you get what you missed at the end",
      examples: ['2h', 'until:14:00 2', '#17 4h', 'provider:twilio from:02:00 until:04:00'],
      filters: MUTE_FILTERS,
      answer: (line, interaction) => answerMute(ctx, line, changeMutes, interaction),
    },
    {
      ...common,
      word: 'unmute',
      purpose: 'incident',
      usage: '[incident | number]',
      about:
        "unmute this channel's watches, one of them, or an incident, provider or workflow in them; cancels what is planned",
      examples: ['', '#17', 'provider:twilio'],
      filters: ['provider', 'workflow'],
      answer: (line, interaction) => answerUnmute(ctx, line, changeMutes, interaction),
    },
  ];
  return { commands, routes };
}

async function answerWatch(
  ctx: SlackCtx,
  { filters, environment }: CommandLine,
  interaction: CommandInteraction,
): Promise<void> {
  // A watch without `env:` also covers environments that are added later.
  const usual = ctx.environments.length === 1 ? {} : { env: [environment.name] };
  if (Object.keys(filters).length === 0) return openNew(ctx, usual, interaction);
  await create(ctx, { ...usual, ...filters }, false, interaction);
}

async function create(
  ctx: SlackCtx,
  filters: FilterMap,
  isConfirmed: boolean,
  interaction: Interaction,
): Promise<void> {
  const { reply, userId } = interaction;
  const creating = await createWatch(ctx, { channel: channelOf(interaction), actor: userId, filters, isConfirmed });
  if (creating.is === 'not-in-channel') return reply.show(inviteFirst(filters));
  if (creating.is === 'unconfirmed')
    return reply.show(unconfirmedMessage(creating, await previewOrNone(ctx, creating.settings)));
  const { watch, addresses } = creating;
  const watching = lineSections(watchingLines(addresses));
  if (watching.length > 0) await reply.show(message(watching));
  await postWatch(ctx, mrkdwn`👁️ ${person(userId)} created a watch here`, watch, interaction);
}

async function listWatches(ctx: SlackCtx, words: readonly string[], channel: string): Promise<MessageContent> {
  const { db } = ctx;
  const first = watchNumberIn(words, '/notif watches');
  const all = (await watchesIn(db, channel)).toSorted((a, b) => a.number - b.number);
  if (first !== null) numberedWatches(first, all);
  const now = ctx.now();
  const listed = all
    .filter(({ number }) => number >= (first ?? 1))
    .map(async (watch) => ({ watch, mutes: await mutesSet(db, watch.id, now) }));
  const options = { ...ctx, now, total: all.length, lost: await lostWatches(db, channel, now) };
  // Filters that somebody else typed are masked.
  return forEveryone(watchesMessage(await Promise.all(listed), options));
}

async function answerUnwatch(ctx: SlackCtx, words: readonly string[], interaction: CommandInteraction): Promise<void> {
  const number = watchNumberIn(words, '/notif unwatch');
  const [watch, ...others] = numberedWatches(number, await watchesIn(ctx.db, channelOf(interaction)));
  if (others.length === 0) return remove(ctx, watch.id, interaction);
  const which = `This channel has ${others.length + 1} watches. Which one? /notif watches lists them.`;
  throw new InputError('number', which, '/notif unwatch 2');
}

async function answerMute(
  ctx: SlackCtx,
  { words, filters }: CommandLine,
  changeMutes: ChangeMutes,
  interaction: CommandInteraction,
): Promise<void> {
  const { incidents, number, part, time } = parseMuteWords(words, filters);
  const channel = channelOf(interaction);
  if (incidents.length > 0)
    return interaction.reply.show(await changeMutes(incidents, { what: 'muted', time }, interaction));
  await refuseUnseen(ctx, part);
  const watches = numberedWatches(number, await watchesIn(ctx.db, channel));
  await mute(ctx, { watches, part }, time, interaction);
}

/** A mute of what nobody ever saw would hold nothing back. */
async function refuseUnseen({ db, environments }: SlackCtx, part: MutedPart): Promise<void> {
  const { provider, workflow } = part;
  const filter = { ...ALL_FAILURES, providers: present([provider]), workflows: present([workflow]) };
  const [unseen] = await unseenNames(db, filter, environments);
  if (unseen === undefined) return;
  const { kind, name, similar } = unseen;
  const next = similar === null ? 'Check the spelling.' : `Did you mean ${similar}?`;
  throw new InputError(
    'mute',
    `No ${FAILURE_FILTERS[kind].noun} ${name} seen yet, so nothing would be muted.`,
    null,
    next,
  );
}

/** What is muted in watches of one channel. */
interface PartHere {
  watches: readonly [Watch, ...Watch[]];
  part: MutedPart;
}

async function mute(
  ctx: SlackCtx,
  { watches, part }: PartHere,
  time: MuteTime,
  interaction: Interaction,
): Promise<void> {
  const { userId } = interaction;
  const muted = await muteIn(ctx, { watches, target: { ...part, incidentId: null } }, time, userId);
  await postInChannel(ctx, watches[0].channel, mutedMessage(muted, userId), interaction);
}

async function answerUnmute(
  ctx: SlackCtx,
  { words, filters }: CommandLine,
  changeMutes: ChangeMutes,
  interaction: CommandInteraction,
): Promise<void> {
  const channel = channelOf(interaction);
  // A number alone is a watch's.
  if (words.some((word) => !/^\d+$/.test(word)))
    return interaction.reply.show(await changeMutes(words, { what: 'unmuted' }, interaction));
  const number = watchNumberIn(words, '/notif unmute');
  const part = parsePart(filters);
  const watches = numberedWatches(number, await watchesIn(ctx.db, channel));
  await unmute(ctx, { watches, part }, number, interaction);
}

/** `number`: of the only watch that is unmuted; null: all of the channel's. */
async function unmute(
  ctx: SlackCtx,
  { watches, part }: PartHere,
  number: number | null,
  interaction: Interaction,
): Promise<void> {
  const { userId, reply } = interaction;
  const unmuted = await setMutes(
    ctx,
    { watches, target: { ...part, incidentId: null } },
    { actor: userId, time: null },
  );
  if (unmuted.length > 0)
    return postInChannel(ctx, watches[0].channel, unmutedMessage(unmuted, part, userId), interaction);
  await reply.show(asMessage(unmutedWords(part, number)));
}

function unmutedWords(part: MutedPart, number: number | null): Markup {
  const typed = describePart(part);
  if (typed !== null) return mrkdwn`${code(typed)} isn't muted in this channel.`;
  return number === null ? mrkdwn`No watch of this channel is muted.` : mrkdwn`Watch ${number} isn't muted.`;
}

async function remove(ctx: SlackCtx, watchId: string, interaction: Interaction): Promise<void> {
  const watch = await endWatch(ctx, watchId, interaction.userId);
  await postInChannel(ctx, watch.channel, endedMessage(watch, interaction.userId, ctx.environments), interaction);
}
