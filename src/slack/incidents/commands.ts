import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { incidentNumberIn } from '../../domain/incidents/incident-number.ts';
import { noteTyped } from '../../domain/incidents/note.ts';
import type { FilterKey } from '../../domain/input/filters.ts';
import type { IncidentTyped, MuteByName, NamedPlace } from '../../domain/watches/mute-words.ts';
import { type AcknowledgingStore, acknowledgeIncident } from '../../use-cases/incidents/acknowledge-incident.ts';
import type { ActedOnStore, ActParts } from '../../use-cases/incidents/act-on-incident.ts';
import { addNote, type NotingStore } from '../../use-cases/incidents/add-note.ts';
import {
  type MutingInChannelStore,
  muteInChannel,
  unmuteInChannel,
} from '../../use-cases/incidents/mute-in-channel.ts';
import { type ResolvingStore, resolveIncident } from '../../use-cases/incidents/resolve-incident.ts';
import type { ZoneParts } from '../../use-cases/ports/workspace.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Asked, Command } from '../interactions/command.ts';
import { namedPlace, onlyEnvironment } from '../interactions/environment-in.ts';
import type { CommandInteraction } from '../interactions/interaction.ts';
import { parseNote } from './forms-modal.ts';
import {
  acknowledgingMessage,
  earlierMessage,
  mutedHereMessage,
  notingMessage,
  nowMessage,
  resolvingMessage,
  typedOverMessage,
  unmutedHereMessage,
} from './message.ts';

const FILTERS: readonly FilterKey[] = ['env'];

export type ActCommandParts = ActParts<AcknowledgingStore & ResolvingStore & NotingStore & MutingInChannelStore> &
  ZoneParts & { readonly environments: readonly Environment[] };

type NamedParts = Pick<ActParts<ActedOnStore>, 'store' | 'now'>;

export function actCommands(parts: ActCommandParts): Command[] {
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
      answer: (asked, interaction) =>
        onNamed('ack', asked, interaction, parts, async (target) => {
          const done = await acknowledgeIncident(target, interaction.userId, parts);
          return done.is === 'over' ? typedOverMessage(done.on) : acknowledgingMessage(done, target, parts.now());
        }),
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
      answer: (asked, interaction) =>
        onNamed('resolve', asked, interaction, parts, async (target) => {
          const done = await resolveIncident(target, interaction.userId, parts);
          return done.is === 'over' ? typedOverMessage(done.on) : resolvingMessage(done, target);
        }),
    },
    {
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, and again when the same cause comes back',
      examples: ['#17 key had been rotated in vault, not here'],
      for: 'members',
      filters: [],
      follows: 'text',
      answer: (asked, interaction) => noteNamed(asked, interaction, parts),
    },
  ];
}

/** The number means that very episode, which may be over. */
async function noteNamed(
  { words: [typed = ''], environment }: Asked,
  { reply, userId, channelId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const { incident, text } = noteTyped(typed);
  const named = await incidentNamed(
    'note',
    incident,
    { environment: environment.name, isEnvironmentNamed: false },
    parts,
  );
  const note = parseNote(text);
  if ('wrong' in note) throw new InputError('note', note.wrong, '/notif note #17 key had been rotated in vault');
  const target = { messageId: null, episodeId: named.episode.episodeId, channel: channelId };
  const done = notingMessage(await addNote(target, { text: note.text, by: userId }, parts));
  const now = await parts.store.actedOn(target, parts.now());
  await reply.show(now === null ? done : nowMessage(now, null, done));
}

async function onNamed(
  command: 'ack' | 'resolve',
  { words, filters, environment: usual }: Asked,
  { reply, channelId }: CommandInteraction,
  parts: ActCommandParts,
  act: (target: ActionTarget) => Promise<MessageContent>,
): Promise<void> {
  const place = namedPlace(onlyEnvironment(filters.env ?? [], parts), usual, parts);
  const { episode, newest, cameBack } = await incidentNamed(command, words, place, parts);
  // The number of an outage that is over isn't meant for the one that the same cause has today.
  const target = { messageId: null, episodeId: (cameBack ? episode : newest).episodeId, channel: channelId };
  const done = await act(target);
  const now = await parts.store.actedOn(target, parts.now());
  await reply.show(now === null ? done : nowMessage(now, null, done));
}

/** In the watches of the channel where it's typed. */
export async function muteNamed(
  named: MuteByName,
  channel: string,
  { reply, userId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const target = await incidentNamed('mute', named.words, named, parts);
  const { episodeId } = target.newest;
  const muted = await muteInChannel(episodeId, channel, { end: named.end, by: userId }, parts);
  await reply.show(nowMessage(target, null, mutedHereMessage(muted, episodeId)));
}

/** In the watches of the channel where it's typed. */
export async function unmuteNamed(
  named: IncidentTyped,
  channel: string,
  { reply, userId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const target = await incidentNamed('unmute', named.words, named, parts);
  const unmuted = await unmuteInChannel(target.newest.episodeId, channel, userId, parts);
  await reply.show(nowMessage(target, null, unmutedHereMessage(unmuted)));
}

/** An earlier outage of its cause is only named. */
export async function showNumbered(
  number: string,
  environment: string,
  { reply }: Pick<CommandInteraction, 'reply'>,
  parts: NamedParts,
): Promise<void> {
  // If the number is unknown, the example in the error needs a command.
  const target = await incidentNamed('ack', [number], { environment, isEnvironmentNamed: false }, parts);
  await reply.show(nowMessage(target, null, earlierMessage(target)));
}

/**
 * Throws an `InputError` for no number, an unknown one, and that of an incident in another environment than `env:`
 * names.
 */
async function incidentNamed(
  command: string,
  words: readonly string[],
  place: NamedPlace,
  { store, now }: NamedParts,
): Promise<TargetNow> {
  const episodeId = incidentNumberIn(words, command);
  const target = await store.actedOn({ messageId: null, episodeId }, now());
  if (target === null)
    throw new InputError(
      'incident',
      `No incident has the number #${episodeId}, or it is no longer kept.`,
      null,
      'The Home tab lists the open ones.',
    );
  if (place.isEnvironmentNamed) refuseElsewhere(target, place.environment, command);
  return target;
}

/** A number is of one environment, so either it or `env:` is mistyped. */
function refuseElsewhere({ episode }: TargetNow, environment: string, command: string): void {
  const own = episode.tally.group.environment;
  if (own === environment) return;
  const number = `#${episode.episodeId}`;
  throw new InputError('env', `${number} is in ${own}, not in ${environment}.`, `/notif ${command} ${number}`);
}
