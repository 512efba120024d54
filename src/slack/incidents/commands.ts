import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import { noteTyped } from '../../domain/incidents/note-typed.ts';
import type { FilterKey } from '../../domain/input/filters.ts';
import type { IncidentTyped, MuteByName, NamedPlace } from '../../domain/watches/mute-words.ts';
import { type AcknowledgingStore, acknowledgeIncident } from '../../use-cases/incidents/acknowledge-incident.ts';
import type { ActParts } from '../../use-cases/incidents/act-on-incident.ts';
import { addNote, type NotingStore } from '../../use-cases/incidents/add-note.ts';
import {
  type MutingInChannelStore,
  muteInChannel,
  unmuteInChannel,
} from '../../use-cases/incidents/mute-in-channel.ts';
import { type NamingStore, nameIncident } from '../../use-cases/incidents/name-incident.ts';
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
  withNote,
} from './message.ts';
import { noSuchIncidentMessage, severalMessage } from './naming-message.ts';

const FILTERS: readonly FilterKey[] = ['env'];

export type ActCommandParts = ActParts<
  AcknowledgingStore & ResolvingStore & NamingStore & NotingStore & MutingInChannelStore
> &
  ZoneParts & { readonly environments: readonly Environment[] };

/** `/notif ack <incident>`, `/notif resolve <incident>` */
export function actCommands(parts: ActCommandParts): Command[] {
  return [
    {
      word: 'ack',
      usage: '<incident>',
      about:
        'acknowledge an incident: by its number, or by its channel, provider or workflow; it stops mentioning people',
      examples: ['#17', 'sendgrid order-shipped'],
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
      examples: ['#17', 'sendgrid order-shipped'],
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
      examples: ['#17 key had been rotated in vault, not here', 'sendgrid order-shipped waiting for their support'],
      for: 'members',
      filters: [],
      follows: 'text',
      answer: (asked, interaction) => noteNamed(asked, interaction, parts),
    },
  ];
}

/** `/notif note <incident> <text>`. A number means that very episode, which may be over; words mean an open incident. */
async function noteNamed(
  { words: [typed = ''], environment }: Asked,
  { reply, userId, channelId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const open = await parts.store.incidentsByName(environment.name, parts.now());
  const { incident, text } = noteTyped(typed, open);
  const place = { environment: environment.name, isEnvironmentNamed: false };
  const meant = await incidentNamed('note', incident, place, parts);
  const note = parseNote(text);
  if (meant.is === 'unclear') return reply.show('wrong' in note ? meant.answer : withNote(meant.answer, note));
  if ('wrong' in note) throw new InputError('note', note.wrong, '/notif note #17 key had been rotated in vault');
  const target = { messageId: null, episodeId: meant.target.episode.episodeId, channel: channelId };
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
  const meant = await incidentNamed(command, words, place, parts);
  if (meant.is === 'unclear') return reply.show(meant.answer);
  const { episode, newest, cameBack } = meant.target;
  // The number of an outage that is over isn't meant for the one that the same cause has today.
  const target = { messageId: null, episodeId: (cameBack ? episode : newest).episodeId, channel: channelId };
  const done = await act(target);
  const now = await parts.store.actedOn(target, parts.now());
  await reply.show(now === null ? done : nowMessage(now, null, done));
}

/** `/notif mute <incident>`: mutes it in the watches of the channel where it's typed. */
export async function muteNamed(
  named: MuteByName,
  channel: string,
  { reply, userId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const meant = await incidentNamed('mute', named.words, named, parts);
  if (meant.is === 'unclear') return reply.show(meant.answer);
  const { episodeId } = meant.target.newest;
  const muted = await muteInChannel(episodeId, channel, { end: named.end, by: userId }, parts);
  await reply.show(nowMessage(meant.target, null, mutedHereMessage(muted, episodeId)));
}

/** `/notif unmute <incident>`: unmutes it in the watches of the channel where it's typed. */
export async function unmuteNamed(
  named: IncidentTyped,
  channel: string,
  { reply, userId }: CommandInteraction,
  parts: ActCommandParts,
): Promise<void> {
  const meant = await incidentNamed('unmute', named.words, named, parts);
  if (meant.is === 'unclear') return reply.show(meant.answer);
  const unmuted = await unmuteInChannel(meant.target.newest.episodeId, channel, userId, parts);
  await reply.show(nowMessage(meant.target, null, unmutedHereMessage(unmuted)));
}

/** Shows the incident that has this number to the person who typed it, as it is now: an earlier outage of its cause is only named. */
export async function showNumbered(
  number: string,
  environment: string,
  { reply }: Pick<CommandInteraction, 'reply'>,
  parts: Pick<ActParts<NamingStore>, 'store' | 'now'>,
): Promise<void> {
  // If the number is unknown, the examples in the answer need a command.
  const meant = await incidentNamed('ack', [number], { environment, isEnvironmentNamed: false }, parts);
  await reply.show(
    meant.is === 'unclear' ? meant.answer : nowMessage(meant.target, null, earlierMessage(meant.target)),
  );
}

/**
 * Returns the one incident that the words match, or the answer if they match none or several. Throws an `InputError` for the number of an
 * incident in another environment than `env:` names.
 */
async function incidentNamed(
  command: string,
  words: readonly string[],
  place: NamedPlace,
  parts: Pick<ActParts<NamingStore>, 'store' | 'now'>,
): Promise<
  { readonly is: 'one'; readonly target: TargetNow } | { readonly is: 'unclear'; readonly answer: MessageContent }
> {
  if (words.join(' ').length > MOST_TYPED)
    throw new InputError('incident', 'That is too long for an incident.', `/notif ${command} #17`);
  const named = await nameIncident(words, place.environment, parts);
  switch (named.is) {
    case 'one':
      if (place.isEnvironmentNamed) refuseElsewhere(named.target, place.environment, command);
      return named;
    case 'several':
      return { is: 'unclear', answer: severalMessage(named, command) };
    case 'none':
      return { is: 'unclear', answer: noSuchIncidentMessage(words, named, command, place.environment) };
  }
}

/** A number is of one environment, so either it or `env:` is mistyped. */
function refuseElsewhere({ episode }: TargetNow, environment: string, command: string): void {
  const own = episode.tally.group.environment;
  if (own === environment) return;
  const number = `#${episode.episodeId}`;
  throw new InputError('env', `${number} is in ${own}, not in ${environment}.`, `/notif ${command} ${number}`);
}

const MOST_TYPED = 500;
