import type { Button } from '@slack/types';
import { z } from 'zod';
import type { Preview } from '../../../alerts/preview.ts';
import { FAILURE_FILTERS } from '../../../judging/filter.ts';
import type { Environment } from '../../../lib/environment.ts';
import { commandText, type FilterMap } from '../../../lib/input/filters.ts';
import { CHANNEL_REFUSAL_WORDS } from '../../../lib/refusals.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { quietUntil } from '../../../lib/time/wall-clock.ts';
import type { EmailMatch } from '../../../service/subscribers-by-contact.ts';
import type { Unconfirmed } from '../../../watches/create.ts';
import type { LostWatch } from '../../../watches/lost-watches.ts';
import type { MutedPart } from '../../../watches/parse-mute.ts';
import { filtersOf, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { describePart, type Muted } from '../../../watches/set-mutes.ts';
import { quietTimes, type Watch, type WatchSettings } from '../../../watches/settings.ts';
import type { MuteRow } from '../../../watches/tables.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  divider,
  isSendable,
  lineSections,
  type MessageBlock,
  section,
} from '../../kit/blocks.ts';
import { parseSingle, writeValue } from '../../kit/button-values.ts';
import { runButton } from '../../kit/buttons.ts';
import { didYouMean } from '../../kit/filter-words.ts';
import type { Requester } from '../../kit/interaction.ts';
import { asMessage, type MessageContent, message, rowsMessage } from '../../kit/message.ts';
import { mutedPart, mutedTime, mutedWords, watchNumbers } from '../../kit/mute-words.ts';
import { postInChannel } from '../../kit/reply.ts';
import { code, joined, type Line, type Markup, mrkdwn, type Optional, person, plain, plural } from '../../kit/text.ts';
import { time, timeNear } from '../../kit/times.ts';
import { settingsLines, watchCommand } from '../../kit/watch-words.ts';
import { SHARED_WARNING } from '../../router/run-and-share.ts';
import { previewLine, previewOrNone } from './preview-message.ts';

export const EDIT = 'watch.edit';
export const CREATE_ANYWAY = 'watch.all-the-same';
export const END = 'watch.end';
export const SHOW_PREVIEW = 'watch.preview';
export const MUTE = 'watch.mute';
export const UNMUTE = 'watch.unmute';

/** What somebody did to a watch, with the watch as it is now. */
export function watchMessage(
  act: Markup,
  watch: Watch,
  environments: readonly Environment[],
  preview: Preview | null,
): MessageContent {
  const { settings } = watch;
  return message([
    section([mrkdwn`*${act}*`, ...settingsLines(settings, environments)]),
    context(
      preview && previewLine(preview),
      settings.mention === null && mrkdwn`💡 Its alerts mention nobody: *Edit*, or ${code('mention:@oncall')}.`,
      settings.escalateMs !== null &&
        '📞 It mentions again and messages the assignee. Calls come from an Alertmanager (NOTIF_ALERTMANAGER_URL).',
    ),
    ...actions([
      ...previewButtons(preview, settings),
      watchButton('Edit', EDIT, watch),
      watch.createdBy !== null && endButton(watch),
    ]),
  ]);
}

export async function postWatch(ctx: SlackCtx, act: Markup, watch: Watch, interaction: Requester): Promise<void> {
  const preview = await previewOrNone(ctx, watch.settings);
  await postInChannel(ctx, watch.channel, watchMessage(act, watch, ctx.environments, preview), interaction);
}

function previewButtons(preview: Preview | null, settings: WatchSettings): Button[] {
  if (preview === null || preview.incidents.length === 0) return [];
  return [button('View incidents', SHOW_PREVIEW, writeFilters(filtersOf(settings)))];
}

const Filters = z.partialRecord(z.enum(WATCH_KEYS), z.array(z.string()));

/** Filters are kept as JSON, since some would change in a command's text. */
export const writeFilters = (filters: FilterMap): string => writeValue([JSON.stringify(filters)]);

export function parseFilters(value: string): FilterMap | null {
  const json = parseSingle(value);
  return json === null ? null : (Filters.safeParse(JSON.parse(json)).data ?? null);
}

export function watchingLines(addresses: readonly EmailMatch[]): Markup[] {
  const watching = addresses.flatMap(({ email, subscriberIds }) =>
    subscriberIds.map((id) => mrkdwn`👤 Watching subscriber ${code(id, 100)} for ${code(maskEmail(email))}.`),
  );
  const note = mrkdwn`The watch doesn't follow an address to another subscriber: change it with *Edit*.`;
  return watching.length === 0 ? [] : [...watching, note];
}

export function unseenLines(unseen: Unconfirmed['unknown']): Markup[] {
  const names = unseen.map(
    ({ kind, name, similar }) => mrkdwn`No ${FAILURE_FILTERS[kind].noun} ${code(name)} seen yet.${didYouMean(similar)}`,
  );
  return names.length === 0 ? [] : [mrkdwn`🤔 *This watch may never fire.*`, ...names];
}

export function unconfirmedMessage(
  { unknown, isShared, settings, addresses }: Unconfirmed,
  preview: Preview | null,
): MessageContent {
  const create = button('Create anyway', CREATE_ANYWAY, writeFilters(filtersOf(settings)));
  return message([
    ...lineSections([
      isShared && SHARED_WARNING,
      ...unseenLines(unknown),
      ...watchingLines(addresses),
      !isSendable(create) &&
        mrkdwn`Too long for a button: create it with fewer values, then add the others with *Edit*.`,
    ]),
    context(preview && previewLine(preview)),
    ...actions([...previewButtons(preview, settings), create]),
  ]);
}

export function inviteFirst(filters: FilterMap): MessageContent {
  const what = "⚠️ Notif isn't in this conversation, so it can't post alerts here.";
  const next = mrkdwn`Run ${code('/invite @Notif')} in a channel and try again, or use your DMs with Notif.`;
  return asMessage([what, next], actions([runButton('Try again', commandText(['watch'], filters))]));
}

export function endedMessage(
  { settings }: Watch,
  userId: string,
  environments: readonly Environment[],
): MessageContent {
  return asMessage([
    mrkdwn`⏹️ ${person(userId)} removed a watch. Its alerts have stopped.`,
    ...settingsLines(settings, environments),
  ]);
}

export function mutedMessage(muted: Muted, userId: string): MessageContent {
  const what = mrkdwn`🔕 ${person(userId)} muted ${mutedWords(muted)}. You'll get what you missed then. What gets worse is muted too: ${code('/notif mute #17')} lets that through.`;
  return asMessage(what, actions([unmuteButton(muted)]));
}

export function unmutedMessage(unmuted: readonly Watch[], part: MutedPart, userId: string): MessageContent {
  const what = joined([mutedPart(part), watchNumbers(unmuted)], ' in ');
  return asMessage(mrkdwn`🔔 ${person(userId)} unmuted ${what}. You'll get what you missed.`);
}

/** Several muted watches are all of the channel's, which the command without a number means. */
function unmuteButton({ watches, target, isPlanned }: Pick<Muted, 'watches' | 'target' | 'isPlanned'>): Button {
  const [watch, ...others] = watches;
  const label = isPlanned ? 'Cancel' : 'Unmute';
  const part = describePart(target);
  if (part !== null) return runButton(label, `unmute ${part}`);
  return watch === undefined || others.length > 0 ? runButton(label, 'unmute') : watchButton(label, UNMUTE, watch);
}

const watchButton = (label: string, actionId: string, { id }: Watch) => button(label, actionId, writeValue([id]));
const plainly = (text: string) => plain(text, 100);

const endButton = (watch: Watch): Button => ({
  ...watchButton('Remove', END, watch),
  style: 'danger',
  confirm: {
    title: plainly('Remove this watch?'),
    text: plainly('Its alerts stop here. The channel gets a message that you removed it.'),
    confirm: plainly('Remove'),
    deny: plainly('Keep'),
  },
});

interface ListedWatch {
  watch: Watch;
  mutes: readonly MuteRow[];
}

interface ListOptions {
  environments: readonly Environment[];
  now: Date;
  /** How many watches the channel has, also those that aren't listed. */
  total: number;
  /** Those that ended because Slack refused the channel. */
  lost: readonly LostWatch[];
}

export function watchesMessage(listed: readonly ListedWatch[], options: ListOptions): MessageContent {
  const lost = options.lost.map(({ at, why, watch }) => {
    return mrkdwn`⚠️ A watch was removed ${time(at)} because ${CHANNEL_REFUSAL_WORDS[why].was}: ${watchCommand(watch)}`;
  });
  if (options.total === 0) {
    const create = mrkdwn`This channel has no watch. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`;
    return message(lineSections([create, ...lost]));
  }
  const title = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const rows = listed.map((watch) => watchRow(watch, options));
  const more = (left: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-left)?.watch.number ?? ''}`)}`;
  return rowsMessage(lineSections([title, ...lost]), rows, [], more);
}

const isOfWholeWatch = ({ incidentId, provider, workflow }: MuteRow) =>
  incidentId === null && provider === null && workflow === null;

/** What holds the watch's alerts back, now or as planned. */
function holdLines({ watch: { settings }, mutes }: ListedWatch, now: Date): Line[] {
  const ofIncidents = mutes.filter(({ incidentId }) => incidentId !== null).length;
  const current = mutes.find((mute) => isOfWholeWatch(mute) && mute.beginsAt <= now);
  const others = mutes.filter((mute) => mute.incidentId === null && mute !== current);
  const quietEnd = quietUntil(quietTimes(settings), settings.timeZone, now);
  return [
    current !== undefined &&
      mrkdwn`🔕 muted by ${person(current.mutedBy)} until ${timeNear(current.until, current.beginsAt)}`,
    current === undefined && quietEnd !== null && mrkdwn`🌙 quiet until ${timeNear(quietEnd, now)}`,
    ...others.map((mute) => partOrPlannedWords(mute, now)),
    ofIncidents > 0 && mrkdwn`🔕 ${plural(ofIncidents, 'incident')} muted`,
  ];
}

/** A mute of a part of the watch, or one that is planned. */
function partOrPlannedWords({ provider, workflow, mutedBy, beginsAt: from, until }: MuteRow, now: Date): Markup {
  const part = mutedPart({ provider, workflow });
  const words = [part, mrkdwn`muted by ${person(mutedBy)}`, mutedTime({ from, to: until, isPlanned: from > now })];
  const typed = describePart({ provider, workflow });
  const end = typed && mrkdwn`(${code(`/notif unmute ${typed}`)})`;
  return mrkdwn`🔕 ${joined([...words, end], ' ')}`;
}

function watchRow({ watch, mutes }: ListedWatch, { environments, now }: ListOptions): Optional<MessageBlock>[] {
  const { number, settings, createdBy, createdAt } = watch;
  const [filters, ...manner] = settingsLines(settings, environments);
  const lines = [joined([mrkdwn`*${number}*`, filters ?? null]), ...manner, ...holdLines({ watch, mutes }, now)];
  // [Unmute] ends, or cancels, mutes of the whole watch. Those of a part have their command in their line.
  const muteButton = mutes.some(isOfWholeWatch)
    ? watchButton('Unmute', UNMUTE, watch)
    : watchButton('Mute 1 h', MUTE, watch);
  const creator = createdBy === null ? mrkdwn`NOTIF_DIGEST_CHANNEL` : person(createdBy);
  return [
    divider(),
    section(lines),
    context(mrkdwn`Created by ${creator}, ${time(createdAt)}`),
    ...actions([watchButton('Edit', EDIT, watch), muteButton, createdBy !== null && endButton(watch)]),
  ];
}
