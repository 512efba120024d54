import { type ActionTarget, acknowledge, addNote, resolve } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import { labelled } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import type { FilterKey } from '../../../lib/input/filters.ts';
import { incidentNumberIn } from '../../../lib/input/incident-number.ts';
import { noteTyped } from '../../../lib/input/note.ts';
import type { MuteEnd } from '../../../watches/mute-words.ts';
import { muteIn, unmuteIn } from '../../../watches/mutes.ts';
import { isAbout } from '../../../watches/settings.ts';
import { watches } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { type NamedPlace, namedPlace, onlyEnvironment } from '../../router/command.ts';
import type { CommandInteraction } from '../../router/interaction.ts';
import { parseNote } from './forms-modal.ts';
import {
  acknowledgingMessage,
  mutedHereMessage,
  notingMessage,
  nowMessage,
  resolvingMessage,
  unmutedHereMessage,
} from './message.ts';

const FILTERS: readonly FilterKey[] = ['env'];

export function actCommands(ctx: SlackCtx): Command[] {
  return [
    {
      word: 'ack',
      usage: '<incident>',
      about: 'acknowledge an incident: it stops mentioning people',
      examples: ['#17'],
      for: 'members',
      filters: FILTERS,
      follows: 'incident',
      environments: 'several',
      answer: (line, interaction) =>
        onNamed(ctx, 'ack', line, interaction, async (target) =>
          acknowledgingMessage(await acknowledge(ctx, target, interaction.userId), target, ctx.now()),
        ),
    },
    {
      word: 'resolve',
      usage: '<incident>',
      about: 'resolve an incident; what fails of it afterwards is a relapse',
      examples: ['#17'],
      for: 'members',
      filters: FILTERS,
      follows: 'incident',
      environments: 'several',
      answer: (line, interaction) =>
        onNamed(ctx, 'resolve', line, interaction, async (target) =>
          resolvingMessage(await resolve(ctx, target, interaction.userId), target),
        ),
    },
    {
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, and again when the same cause comes back',
      examples: ['#17 key had been rotated in vault, not here'],
      for: 'members',
      filters: [],
      follows: 'text',
      answer: (line, interaction) => noteNamed(ctx, line, interaction),
    },
  ];
}

async function noteNamed(
  ctx: SlackCtx,
  { words: [typed = ''], environment }: CommandLine,
  { reply, userId, channelId }: CommandInteraction,
): Promise<void> {
  const { incident, text } = noteTyped(typed);
  const place = { environment: environment.name, isEnvironmentNamed: false };
  const { id } = await incidentNamed(ctx, 'note', incident, place);
  const note = parseNote(text);
  if ('wrong' in note) throw new InputError('note', note.wrong, '/notif note #17 key had been rotated in vault');
  const target = { messageId: null, incidentId: id, channel: channelId };
  await showNow(ctx, target, notingMessage(await addNote(ctx, target, note.text, userId)), reply);
}

async function onNamed(
  ctx: SlackCtx,
  command: 'ack' | 'resolve',
  { words, filters, environment: usual }: CommandLine,
  { reply, channelId }: CommandInteraction,
  act: (target: ActionTarget) => Promise<MessageContent>,
): Promise<void> {
  const place = namedPlace(ctx, onlyEnvironment(ctx, filters.env ?? []), usual);
  const { id } = await incidentNamed(ctx, command, words, place);
  const target = { messageId: null, incidentId: id, channel: channelId };
  await showNow(ctx, target, await act(target), reply);
}

async function showNow(
  { db, now }: SlackCtx,
  { incidentId }: ActionTarget,
  done: MessageContent,
  reply: CommandInteraction['reply'],
): Promise<void> {
  const incident = await incidentNow(db, incidentId, now());
  await reply.show(incident === null ? done : nowMessage(incident, null, done));
}

export interface IncidentTyped extends NamedPlace {
  readonly words: readonly string[];
}

/** In the watches of the channel where it's typed that cover its environment, until an end in the person's time zone. */
export async function muteNamed(
  ctx: SlackCtx,
  named: IncidentTyped & { readonly end: MuteEnd },
  channel: string,
  { reply, userId }: CommandInteraction,
): Promise<void> {
  const incident = await incidentNamed(ctx, 'mute', named.words, named);
  const target = { watches: await watchesAbout(ctx, incident, channel), incidentId: incident.id };
  const muted = await muteIn(ctx, target, named.end, userId);
  await reply.show(nowMessage(incident, null, mutedHereMessage(muted, incident.id)));
}

async function watchesAbout({ db, environments }: SlackCtx, { tally }: IncidentNow, channel: string) {
  const { environment } = tally.kind;
  const about = (await watches(db, channel)).filter(({ settings }) => isAbout(settings.filter, environment));
  if (about.length > 0) return about;
  const { label } = labelled(environment, environments);
  throw new InputError(
    'incident',
    `No watch of this channel is about ${label}, so there is nothing to mute here.`,
    '/notif watch',
  );
}

export async function unmuteNamed(
  ctx: SlackCtx,
  named: IncidentTyped,
  channel: string,
  { reply, userId }: CommandInteraction,
): Promise<void> {
  const incident = await incidentNamed(ctx, 'unmute', named.words, named);
  const target = { watches: await watches(ctx.db, channel), incidentId: incident.id };
  const unmuted = await unmuteIn(ctx, target, userId);
  await reply.show(nowMessage(incident, null, unmutedHereMessage(unmuted)));
}

export async function showNumbered(
  ctx: SlackCtx,
  number: string,
  environment: string,
  { reply }: Pick<CommandInteraction, 'reply'>,
): Promise<void> {
  // If the number is unknown, the example in the error needs a command.
  const incident = await incidentNamed(ctx, 'ack', [number], { environment, isEnvironmentNamed: false });
  await reply.show(nowMessage(incident, null));
}

/** Throws an `InputError` for no number, an unknown one, and that of an incident in another environment than `env:` names. */
async function incidentNamed(
  { db, now }: SlackCtx,
  command: string,
  words: readonly string[],
  place: NamedPlace,
): Promise<IncidentNow> {
  const number = incidentNumberIn(words, command);
  const incident = await incidentNow(db, number, now());
  if (incident === null) {
    const message = `No incident has the number #${number}, or it is no longer kept.`;
    throw new InputError('incident', message, null, 'The Home tab lists the open ones.');
  }
  const { environment } = incident.tally.kind;
  if (place.isEnvironmentNamed && environment !== place.environment) {
    const message = `#${number} is in ${environment}, not in ${place.environment}.`;
    throw new InputError('env', message, `/notif ${command} #${number}`);
  }
  return incident;
}
