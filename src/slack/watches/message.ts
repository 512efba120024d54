import type { Button } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import type { AddressFound } from '../../domain/watches/address-found.ts';
import type { Watch, WatchSettings } from '../../domain/watches/watch.ts';
import { commandOf } from '../../domain/watches/watch-settings.ts';
import type { Making, ZoneSource } from '../../use-cases/watches/make-watch.ts';
import type { Preview } from '../../watches/preview.ts';
import { actions, button, context, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { watchButton } from '../blocks/buttons/watch-buttons.ts';
import { code, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { errorCard } from '../blocks/words/error-card.ts';
import { SHARED_WORDS } from '../blocks/words/shared-channel.ts';
import { didYouMean } from '../blocks/words/unseen-names.ts';
import { settingsLines } from '../blocks/words/watch-words.ts';
import { watchingBlocks, watchingLines } from './address-message.ts';
import { previewButtons, previewLine } from './preview-message.ts';
import { writeToCreate } from './watch-value.ts';

export const EDIT = 'watch.edit';
export const END = 'watch.end';
/** Its value is the watch (`watch-value.ts`). */
export const CREATE_ANYWAY = 'watch.all-the-same';

export interface MadeOptions {
  readonly zoneFrom: ZoneSource;
  readonly environments: readonly Environment[];
  /** What it would have posted before. Null if unknown. */
  readonly preview?: Preview | null;
}

export function madeMessage(watch: Watch, { zoneFrom, environments, preview = null }: MadeOptions): MessageContent {
  const lines = settingsLines(watch.settings, { environments, namesPeople: false });
  const who = mrkdwn`👁️ ${person(watch.createdBy ?? '')} created a watch here`;
  return message(mrkdwn`${who}: ${joined(lines, '; ')}.`, [
    section(joined([mrkdwn`*${who}*`, ...lines], '\n')),
    context(
      ...previewLine(preview),
      ...(watch.settings.mention === null ? [NOTIFIES_NOBODY] : []),
      ZONE_WORDS[zoneFrom],
    ),
    ...actions([...previewButtons(preview, watch.settings), watchButton('Edit', EDIT, watch.id), endButton(watch)]),
  ]);
}

const NOTIFIES_NOBODY = mrkdwn`💡 Its alerts mention nobody. To notify a person or a user group, choose one with *Edit*, or create the watch with ${code('mention:@oncall')}.`;

const ZONE_WORDS: { readonly [Source in ZoneSource]: Markup } = {
  said: mrkdwn`Times are in the time zone that you named; later watches in this channel use it too.`,
  channel: mrkdwn`Times are in the time zone last used in this channel. To use another, add ${code('tz:')}.`,
  person: mrkdwn`Times are in its creator's time zone. To use another, add ${code('tz:')}.`,
  nowhere: mrkdwn`Times are in UTC, because Slack has no time zone for you. To use another, add ${code('tz:')}.`,
};

export function changedMessage(
  watch: Watch,
  by: string,
  environments: readonly Environment[],
  preview: Preview | null = null,
): MessageContent {
  const lines = settingsLines(watch.settings, { environments, namesPeople: false });
  const who = mrkdwn`✏️ ${person(by)} changed a watch here`;
  return message(mrkdwn`${who}: ${joined(lines, '; ')}.`, [
    section(joined([mrkdwn`*${who}*`, ...lines], '\n')),
    ...previewLine(preview).map((line) => context(line)),
    ...actions([...previewButtons(preview, watch.settings), watchButton('Edit', EDIT, watch.id)]),
  ]);
}

/** `isPosted`: whether Slack confirmed the message to the channel. */
export function savedMessage(isPosted: boolean, addresses: readonly AddressFound[] = []): MessageContent {
  const what = isPosted
    ? mrkdwn`Saved. The channel was informed.`
    : mrkdwn`Saved. Slack didn't confirm the message to the channel, so people there may not know.`;
  return confirmation(what, addresses);
}

/** It was saved just before, or has what the watch had. */
export function unchangedMessage(addresses: readonly AddressFound[]): MessageContent {
  return confirmation(mrkdwn`Saved: the watch has these settings.`, addresses);
}

function confirmation(what: Markup, addresses: readonly AddressFound[]): MessageContent {
  return message(what, [section(mrkdwn`✅ ${what}`), ...watchingBlocks(addresses)]);
}

export function endedMessage({ settings }: Watch, by: string, environments: readonly Environment[]): MessageContent {
  const [about = mrkdwn``] = settingsLines(settings, { environments, namesPeople: false });
  const what = mrkdwn`${person(by)} removed a watch. Its alerts have stopped.`;
  return message(what, [section(mrkdwn`⏹️ ${what}\n${about}`), ...again(settings).map((line) => context(line))]);
}

/** How long the command may be as markup: a line that is cut would make another watch. */
const LONGEST_AGAIN = 2_900;

/** Empty if no command that can be shown whole makes this watch. */
function again(settings: WatchSettings): Markup[] {
  const command = commandOf(settings) ?? '';
  const shown = code(command, command.length);
  if (shownId(command, 'everyone') !== command || `${shown}`.length > LONGEST_AGAIN) return [];
  return command === '' ? [] : [mrkdwn`Again: ${shown}`];
}

export function endButton({ id }: Watch): Button {
  return {
    ...watchButton('Remove', END, id),
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: 'Remove this watch?' },
      text: {
        type: 'plain_text',
        text: 'Its alerts stop here. The channel gets a message that you removed it.',
      },
      confirm: { type: 'plain_text', text: 'Remove' },
      deny: { type: 'plain_text', text: 'Keep' },
    },
  };
}

export function unconfirmedMessage(
  { unknown, sharing, settings, zoneFrom, addresses }: Extract<Making, { readonly is: 'unconfirmed' }>,
  preview: Preview | null = null,
): MessageContent {
  const shared = sharing === 'none' ? [] : [mrkdwn`🤝 *${SHARED_WORDS[sharing]}*`];
  const names = unknown.map(({ name, meant }) => mrkdwn`No workflow ${code(name)} seen yet.${didYouMean(meant)}`);
  const never = names.length === 0 ? [] : [mrkdwn`🤔 *This watch may never fire.*`];
  const create = button('Create anyway', CREATE_ANYWAY, writeToCreate(settings, zoneFrom));
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

export const INVITE_FIRST = errorCard(
  {
    what: "Notif isn't in this conversation, so it can't post alerts here.",
    next: INVITE_OR_GO_ELSEWHERE,
  },
  null,
);

export function thereAlready(number: number): MessageContent {
  return sentence(mrkdwn`This channel has this watch already: number ${number} of ${code('/notif watches')}.`);
}

/** To a person who closed the form. */
export function notSavedMessage(reason: Markup): MessageContent {
  return sentence(
    mrkdwn`⚠️ Your change of a watch isn't saved. ${reason} To try again, open *Edit* in ${code('/notif watches')}.`,
  );
}

export const ENDED_BEFORE = sentence(
  mrkdwn`This watch was removed. This channel's watches: ${code('/notif watches')}.`,
);

/** A click can't remove a watch that comes from the configuration. */
export function isConfigured(): MessageContent {
  const what = 'This watch comes from NOTIF_DIGEST_CHANNEL: to remove it, unset that variable and restart Notif.';
  return errorCard({ what, next: mrkdwn`It can be changed and muted: ${code('/notif watches')}.` }, null);
}
