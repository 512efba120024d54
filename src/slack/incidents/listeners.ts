import { type ActionTarget, isOver, type TargetNow } from '../../domain/incidents/incident-actions.ts';
import {
  type AcknowledgingStore,
  acknowledgeGroup,
  unacknowledgeGroup,
} from '../../use-cases/incidents/acknowledge-incident.ts';
import type { ActParts } from '../../use-cases/incidents/act-on-incident.ts';
import { addNote, type NotingStore } from '../../use-cases/incidents/add-note.ts';
import { type AssigningStore, assignIncident } from '../../use-cases/incidents/assign-incident.ts';
import { type MutingStore, muteGroup, unmuteGroup } from '../../use-cases/incidents/mute-group.ts';
import { type ResolvingStore, resolveIncident } from '../../use-cases/incidents/resolve-incident.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { ACT, type GroupAct, parseAct, parseSubject } from '../blocks/incident/incident-menu.ts';
import { resultView } from '../blocks/view.ts';
import type { Flow } from '../interactions/flow.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, CommandInteraction, FilledView } from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionRoute, OldButtonError, type Route, routesFor, type Surface } from '../interactions/route.ts';
import { whereAsked } from '../interactions/where-asked.ts';
import { ASSIGN_FORM, ASSIGN_TITLE, assignView, parseAssignee } from './assign-modal.ts';
import { type ActCommandParts, actCommands, muteNamed, type NamedIncident, showNumbered } from './commands.ts';
import { parseGroupForm } from './group-form-modal.ts';
import { type ListParts, listRoutes, showAffected, showEvents } from './list-listeners.ts';
import {
  acknowledgingMessage,
  assignedToYou,
  assigningMessage,
  FORGOTTEN,
  mutingMessage,
  notingMessage,
  nowMessage,
  resolvingMessage,
  SHOW_NOW,
  unacknowledgedMessage,
  unmutingMessage,
  yourAcknowledgmentRemoved,
} from './message.ts';
import { MUTE_FORM, MUTE_TITLE, muteView, parseLength } from './mute-modal.ts';
import { NOTE_FIELD, NOTE_FORM, NOTE_TITLE, noteView, parseNote } from './note-modal.ts';
import { UNACKNOWLEDGE_FORM, UNACKNOWLEDGE_TITLE, unacknowledgeView } from './unacknowledge-modal.ts';

type ActingParts = ErrorParts &
  ListParts &
  ZoneParts &
  ActParts<AcknowledgingStore & AssigningStore & ResolvingStore & MutingStore & NotingStore & ListParts['store']> & {
    /** Posts a message in a channel or in a person's direct messages with Notif. Rejects with Slack's error. */
    readonly postNotice: (channelOrPerson: string, content: MessageContent) => Promise<void>;
  };

export type IncidentsParts = ActingParts & ActCommandParts;

/** The actions on incidents, and those for other flows. */
export interface IncidentsFlow extends Flow {
  /** `/notif mute <incident>`: mutes it in the watches of the channel where it's typed. */
  readonly muteNamed: (named: NamedIncident, channel: string, interaction: CommandInteraction) => Promise<void>;
  /** `/notif #17`: shows an incident's row with its buttons. */
  readonly showNumbered: (number: string, environment: string, interaction: CommandInteraction) => Promise<void>;
}

/** `/notif ack`, `/notif resolve` and the menu of a row: acknowledging, assigning, resolving and muting incidents. */
export function incidentsFlow(parts: IncidentsParts): IncidentsFlow {
  return {
    commands: actCommands(parts),
    routes: actingRoutes(parts),
    muteNamed: (named, channel, interaction) => muteNamed(named, channel, interaction, parts),
    showNumbered: (number, environment, interaction) => showNumbered(number, environment, interaction, parts),
  };
}

/** The routes for the menu of a group's row, and for the forms that it opens. */
function actingRoutes(parts: ActingParts): Route[] {
  return [
    ...routesFor('members', [
      actionRoute(ACT, parseAct, ({ act, subject }, interaction) => ACTS[act](subject, interaction, parts)),
      actionRoute(SHOW_NOW, parseSubject, (subject, interaction) => showNow(subject, interaction, parts)),
      formRoute(
        MUTE_FORM,
        parseLength,
        async (subject, length, by) => mutingMessage(await muteGroup(subject, length, by, parts)),
        parts,
      ),
      formRoute(ASSIGN_FORM, parseAssignee, (subject, to, by) => assigned(subject, { to, by }, parts), parts),
      formRoute(
        UNACKNOWLEDGE_FORM,
        () => true,
        (subject, _confirmed, by) => unacknowledged(subject, by, parts),
        parts,
      ),
      noteRoute(parts),
    ]),
    ...listRoutes(parts),
  ];
}

type Act = (subject: ActionTarget, interaction: ActionInteraction, parts: ActingParts) => Promise<void>;

const ACTS: { readonly [One in GroupAct]: Act } = {
  acknowledge: async (subject, { userId, reply }, parts) =>
    reply.show(acknowledgingMessage(await acknowledgeGroup(subject, userId, parts), subject, parts.now())),
  unacknowledge,
  assign: (subject, interaction, parts) => openAssign(subject, interaction, parts),
  resolve: async (subject, { userId, reply }, parts) =>
    reply.show(resolvingMessage(await resolveIncident(subject, userId, parts), subject)),
  mute: (subject, interaction, parts) => openMute(subject, interaction, parts),
  unmute: async (subject, { userId, reply }, parts) =>
    reply.show(unmutingMessage(await unmuteGroup(subject, userId, parts))),
  note: (subject, interaction, parts) => openNote(subject, interaction, parts),
  events: showEvents,
  affected: showAffected,
};

async function showNow(
  subject: ActionTarget,
  { reply }: ActionInteraction,
  { store, now }: ActingParts,
): Promise<void> {
  const on = await store.actedOn(subject, now());
  await reply.show(on === null ? FORGOTTEN : nowMessage(on, subject.deliveryId));
}

async function openMute(subject: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  const { userId } = interaction;
  await inModal(
    interaction,
    MUTE_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      if (on === null || !hasWatch(on)) {
        return resultView(mutingMessage({ is: on === null ? 'forgotten' : 'watch-ended' }), MUTE_TITLE);
      }
      const timeZone = (await zoneOfPerson(userId, parts)) ?? on.watch.settings.timeZone;
      return muteView(on, { subject, answerUrl: interaction.answerUrl }, { timeZone, now: now() });
    },
    parts,
  );
}

function hasWatch(on: TargetNow): on is TargetNow & { readonly watch: NonNullable<TargetNow['watch']> } {
  return on.watch !== null;
}

/** Unacknowledges at once if it's the person's own acknowledgment, else asks for confirmation. */
async function unacknowledge(subject: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  const form = { subject, answerUrl: interaction.answerUrl };
  await inModal(
    interaction,
    UNACKNOWLEDGE_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      const by = on?.episode.acknowledged?.by ?? interaction.userId;
      if (on !== null && by !== interaction.userId && !isOver(on)) return unacknowledgeView(on, form, by);
      return resultView(await unacknowledged(subject, interaction.userId, parts), UNACKNOWLEDGE_TITLE);
    },
    parts,
  );
}

async function unacknowledged(subject: ActionTarget, userId: string, parts: ActingParts): Promise<MessageContent> {
  const done = await unacknowledgeGroup(subject, userId, parts);
  if (done.is === 'done' && done.acknowledged.by !== userId) {
    await inform(done.acknowledged.by, yourAcknowledgmentRemoved(done.on, userId), parts);
  }
  return unacknowledgedMessage(done, subject, parts.now());
}

/** Posts a message in a person's direct messages with Notif. Returns false if Slack refuses it. */
async function inform(
  person: string,
  content: MessageContent,
  { postNotice, logger }: Pick<ActingParts, 'postNotice' | 'logger'>,
): Promise<boolean> {
  try {
    await postNotice(person, content);
    return true;
  } catch (err) {
    logger.warn({ err, person }, 'a person could not be sent a direct message');
    return false;
  }
}

async function openAssign(subject: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  await inModal(
    interaction,
    ASSIGN_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      if (on === null) return resultView(FORGOTTEN, ASSIGN_TITLE);
      return assignView(on, { subject, answerUrl: interaction.answerUrl }, interaction.userId);
    },
    parts,
  );
}

/** Assigns the incident, informs the assignee, and confirms it. */
async function assigned(
  subject: ActionTarget,
  { to, by }: { readonly to: string; readonly by: string },
  parts: ActingParts,
): Promise<MessageContent> {
  const done = await assignIncident(subject, { to, by }, parts);
  const isInformed = done.is !== 'done' || to === by || (await inform(to, assignedToYou(done.on, by), parts));
  return assigningMessage(done, subject, isInformed);
}

async function openNote(subject: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  await inModal(
    interaction,
    NOTE_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      if (on === null) return resultView(FORGOTTEN, NOTE_TITLE);
      return noteView(on, { subject, answerUrl: interaction.answerUrl });
    },
    parts,
  );
}

function noteRoute(parts: ActingParts): Surface {
  return {
    surface: 'view',
    callbackId: NOTE_FORM,
    draft: (privateMetadata) => JSON.stringify(parseGroupForm(privateMetadata)?.subject ?? null),
    take: (view) => {
      const form = parseGroupForm(view.privateMetadata);
      if (form === null) throw new OldButtonError();
      const note = parseNote(view.valueIn(NOTE_FIELD) ?? '');
      if ('wrong' in note) return { is: 'refused', errors: { [NOTE_FIELD]: note.wrong } };
      return {
        is: 'taken',
        next: null,
        answer: async (interaction) => {
          const done = await addNote(form.subject, { text: note.text, by: interaction.userId }, parts);
          await whereAsked(form.answerUrl, interaction, parts.logger).show(notingMessage(done));
        },
      };
    },
  };
}

/**
 * Builds the route of a form from a row's menu. `read` parses what was typed; null if something that a form of this version always has is
 * missing.
 */
function formRoute<Typed>(
  callbackId: string,
  read: (valueIn: FilledView['valueIn']) => Typed | null,
  act: (subject: ActionTarget, typed: Typed, userId: string) => Promise<MessageContent>,
  parts: Pick<ActingParts, 'logger'>,
): Surface {
  return {
    surface: 'view',
    callbackId,
    draft: null,
    take: (view) => {
      const form = parseGroupForm(view.privateMetadata);
      const typed = read(view.valueIn);
      if (form === null || typed === null) throw new OldButtonError();
      return {
        is: 'taken',
        next: null,
        answer: async (interaction) => {
          const done = await act(form.subject, typed, interaction.userId);
          await whereAsked(form.answerUrl, interaction, parts.logger).show(done);
        },
      };
    },
  };
}
