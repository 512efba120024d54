import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { quietTimeAt } from '../../domain/time/wall-clock.ts';
import type { Mute } from '../../domain/watches/mute.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { clockOf } from '../../domain/watches/watch-values.ts';
import { actions, context, divider, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { watchButton } from '../blocks/buttons/watch-buttons.ts';
import { fitRows } from '../blocks/fit.ts';
import { muteEnd } from '../blocks/incident/incident-words.ts';
import { code, joined, type Markup, mrkdwn, person, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { settingsLines } from '../blocks/words/watch-words.ts';
import { EDIT, endButton } from './message.ts';
import { MUTE, UNMUTE } from './mute-message.ts';

export interface ListedWatch {
  readonly watch: Watch;
  readonly mute: Mute | null;
  readonly mutedIncidents: number;
}

export interface ListOptions {
  readonly environments: readonly Environment[];
  readonly now: Date;
  /** How many watches the channel has. */
  readonly total: number;
}

/** For one person: all, or those from a number on. */
export function listMessage(listed: readonly ListedWatch[], options: ListOptions): MessageContent {
  const [first] = listed;
  if (first === undefined) return noWatch();
  const count = mrkdwn`*${plural(options.total, 'watch', 'watches')} here*`;
  const title = listed.length === options.total ? count : mrkdwn`${count}, from number ${first.watch.number}`;
  const rows = listed.map((one) => row(one, options));
  const left = (count: number) => mrkdwn`More: ${code(`/notif watches ${listed.at(-count)?.watch.number ?? ''}`)}`;
  const fallbackText = listed.map((one) => joined([mrkdwn`${one.watch.number}:`, ...lines(one, options)], ' '));
  return message(
    joined([mrkdwn`Watches of this channel.`, ...fallbackText], ' '),
    fitRows([section(title)], rows, [], left).blocks,
  );
}

function noWatch(): MessageContent {
  return sentence(
    mrkdwn`This channel has no watch. Create one: ${code('/notif watch')}, or ${code('/notif watch channel:email min:5 within:10m')}.`,
  );
}

function row(one: ListedWatch, options: ListOptions): KnownBlock[] {
  const { watch, mute } = one;
  const mutes = mute === null ? watchButton('Mute…', MUTE, watch.id) : watchButton('Unmute', UNMUTE, watch.id);
  const buttons = [watchButton('Edit', EDIT, watch.id), mutes, ...(watch.createdBy === null ? [] : [endButton(watch)])];
  const [about = mrkdwn``, ...more] = lines(one, options);
  return [
    divider(),
    section(joined([mrkdwn`*${watch.number}* · ${about}`, ...more], '\n')),
    context(creationWords(watch)),
    ...actions(buttons),
  ];
}

function lines({ watch, mute, mutedIncidents }: ListedWatch, { environments, now }: ListOptions): Markup[] {
  return [
    ...settingsLines(watch.settings, { environments, namesPeople: true }),
    ...stateLine(watch, mute, now),
    ...(mutedIncidents === 0 ? [] : [mrkdwn`🔕 ${plural(mutedIncidents, 'incident')} muted`]),
  ];
}

function stateLine({ settings }: Watch, mute: Mute | null, now: Date): Markup[] {
  if (mute !== null) return [mrkdwn`🔕 muted by ${person(mute.by)} until ${muteEnd(mute)}`];
  const quiet = settings.quiet !== null && quietTimeAt(settings.quiet, settings.timeZone, now) !== null;
  return quiet ? [mrkdwn`🌙 quiet until ${clockOf(settings.quiet.to)}`] : [];
}

function creationWords({ createdBy, createdAt }: Watch): Markup {
  if (createdBy === null) return mrkdwn`Created by NOTIF_DIGEST_CHANNEL, ${time(createdAt, 'day')}`;
  return mrkdwn`Created by ${person(createdBy)}, ${time(createdAt, 'day')}`;
}
