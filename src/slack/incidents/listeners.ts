import type { ModalView } from '@slack/types';
import type { Access } from '../../domain/access/membership.ts';
import {
  type ActionTarget,
  type Assigning,
  isOver,
  type TargetNow,
  type Unacknowledgment,
} from '../../domain/incidents/incident-actions.ts';
import type { IncidentTyped, MuteByName } from '../../domain/watches/mute-words.ts';
import {
  type AcknowledgingStore,
  acknowledgeIncident,
  unacknowledgeIncident,
} from '../../use-cases/incidents/acknowledge-incident.ts';
import type { ActParts } from '../../use-cases/incidents/act-on-incident.ts';
import { addNote, type NotingStore } from '../../use-cases/incidents/add-note.ts';
import { type AssigningStore, assignIncident } from '../../use-cases/incidents/assign-incident.ts';
import { type MutingStore, muteInWatch, unmuteInWatch } from '../../use-cases/incidents/mute-in-watch.ts';
import { type ResolvingStore, resolveIncident } from '../../use-cases/incidents/resolve-incident.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { ACT, type IncidentAct, parseAct, parseActionTarget } from '../blocks/incident/incident-menu.ts';
import { resultView } from '../blocks/view.ts';
import type { AccessControl } from '../interactions/authorization.ts';
import type { Flow } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  SubmissionInteraction,
} from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import type { NoticeParts } from '../interactions/post-notice.ts';
import {
  actionRoute,
  OldButtonError,
  type Route,
  routesFor,
  type Submitted,
  type Surface,
} from '../interactions/route.ts';
import { type ActCommandParts, actCommands, muteNamed, showNumbered, unmuteNamed } from './commands.ts';
import {
  ASSIGN_FORM,
  ASSIGN_TITLE,
  assignView,
  type IncidentForm,
  MUTE_FORM,
  MUTE_TITLE,
  muteView,
  NOTE_FIELD,
  NOTE_FORM,
  NOTE_TITLE,
  noteView,
  parseAssignee,
  parseIncidentForm,
  parseLength,
  parseNote,
  UNACKNOWLEDGE_FORM,
  UNACKNOWLEDGE_TITLE,
  unacknowledgeView,
} from './forms-modal.ts';
import { type ListParts, listRoutes, showAffected, showEvents } from './list-listeners.ts';
import {
  acknowledgingMessage,
  assignedToAnother,
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

type ActingParts = ErrorParts &
  ListParts &
  ZoneParts &
  NoticeParts &
  ActParts<AcknowledgingStore & AssigningStore & ResolvingStore & MutingStore & NotingStore & ListParts['store']> & {
    readonly accessControl: Pick<AccessControl, 'authorize'>;
  };

export type IncidentsParts = ActingParts & ActCommandParts;

export interface IncidentsFlow extends Flow {
  readonly muteNamed: (named: MuteByName, channel: string, interaction: CommandInteraction) => Promise<void>;
  readonly unmuteNamed: (named: IncidentTyped, channel: string, interaction: CommandInteraction) => Promise<void>;
  readonly showNumbered: (number: string, environment: string, interaction: CommandInteraction) => Promise<void>;
}

export function incidentsFlow(parts: IncidentsParts): IncidentsFlow {
  return {
    commands: actCommands(parts),
    routes: actingRoutes(parts),
    muteNamed: (named, channel, interaction) => muteNamed(named, channel, interaction, parts),
    unmuteNamed: (named, channel, interaction) => unmuteNamed(named, channel, interaction, parts),
    showNumbered: (number, environment, interaction) => showNumbered(number, environment, interaction, parts),
  };
}

function actingRoutes(parts: ActingParts): Route[] {
  return [
    // A menu is one route: `ACTS` says who can use which of its entries.
    ...routesFor('everyone', [
      actionRoute(ACT, parseAct, async ({ act, target }, interaction) => {
        await parts.accessControl.authorize(interaction.userId, ACTS[act].for);
        await ACTS[act].answer(target, interaction, parts);
      }),
    ]),
    ...routesFor('members', [
      actionRoute(SHOW_NOW, parseActionTarget, (target, interaction) => showNow(target, interaction, parts)),
      formRoute(MUTE_FORM, parseLength, async ({ target }, length, by) =>
        mutingMessage(await muteInWatch(target, length, by, parts)),
      ),
      formRoute(ASSIGN_FORM, parseAssignee, ({ target }, to, by) => assigned(target, { to, by }, parts)),
      formRoute(
        UNACKNOWLEDGE_FORM,
        () => true,
        ({ target, acknowledgedBy }, _confirmed, by) =>
          unacknowledgedNow(target, { of: acknowledgedBy ?? by, by }, parts),
      ),
      noteRoute(parts),
    ]),
    ...listRoutes(parts),
  ];
}

type Act = (target: ActionTarget, interaction: ActionInteraction, parts: ActingParts) => Promise<void>;

const forMembers = (answer: Act) => ({ for: 'members', answer }) as const;
const forEveryone = (answer: Act) => ({ for: 'everyone', answer }) as const;

const ACTS: { readonly [One in IncidentAct]: { readonly for: Access; readonly answer: Act } } = {
  acknowledge: forMembers(async (target, { userId, reply }, parts) =>
    reply.show(acknowledgingMessage(await acknowledgeIncident(target, userId, parts), target, parts.now())),
  ),
  unacknowledge: forMembers(unacknowledge),
  assign: forMembers((target, interaction, parts) =>
    openForm(target, interaction, ASSIGN_TITLE, (on, form) => assignView(on, form, interaction.userId), parts),
  ),
  resolve: forMembers(async (target, { userId, reply }, parts) =>
    reply.show(resolvingMessage(await resolveIncident(target, userId, parts), target)),
  ),
  mute: forMembers(openMute),
  unmute: forMembers(async (target, { userId, reply }, parts) =>
    reply.show(unmutingMessage(await unmuteInWatch(target, userId, parts))),
  ),
  note: forMembers((target, interaction, parts) => openForm(target, interaction, NOTE_TITLE, noteView, parts)),
  events: forEveryone(showEvents),
  affected: forEveryone(showAffected),
};

async function showNow(target: ActionTarget, { reply }: ActionInteraction, { store, now }: ActingParts): Promise<void> {
  const on = await store.actedOn(target, now());
  await reply.show(on === null ? FORGOTTEN : nowMessage(on, target.messageId));
}

async function openForm(
  target: ActionTarget,
  interaction: ActionInteraction,
  title: string,
  viewOf: (on: TargetNow, form: IncidentForm) => ModalView | Promise<ModalView>,
  parts: ActingParts,
): Promise<void> {
  const form = { target, answerUrl: interaction.answerUrl, acknowledgedBy: null };
  const draw = async () => {
    const on = await parts.store.actedOn(target, parts.now());
    return on === null ? resultView(FORGOTTEN, title) : viewOf(on, form);
  };
  await inModal(interaction, title, draw, parts);
}

async function openMute(target: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const viewOf = async (on: TargetNow, form: IncidentForm) => {
    if (on.watch === null) return resultView(mutingMessage({ is: 'watch-ended' }), MUTE_TITLE);
    const timeZone = (await zoneOfPerson(interaction.userId, parts)) ?? on.watch.settings.timeZone;
    return muteView(on, form, { timeZone, now: parts.now() });
  };
  await openForm(target, interaction, MUTE_TITLE, viewOf, parts);
}

/** At once if it's the person's own acknowledgment, else asks for confirmation. */
async function unacknowledge(target: ActionTarget, interaction: ActionInteraction, parts: ActingParts): Promise<void> {
  const { userId } = interaction;
  const viewOf = async (on: TargetNow, form: IncidentForm) => {
    const by = on.episode.acknowledged?.by ?? userId;
    if (by !== userId && !isOver(on)) return unacknowledgeView(on, form, by);
    const { answer } = await unacknowledged(target, { of: userId, by: userId }, parts);
    return resultView(answer, UNACKNOWLEDGE_TITLE);
  };
  await openForm(target, interaction, UNACKNOWLEDGE_TITLE, viewOf, parts);
}

async function unacknowledged(target: ActionTarget, who: Unacknowledgment, parts: ActingParts) {
  const done = await unacknowledgeIncident(target, who, parts);
  if (done.is === 'done' && who.of !== who.by) await inform(who.of, yourAcknowledgmentRemoved(done.on, who.by), parts);
  return { is: done.is, answer: unacknowledgedMessage(done, target, parts.now()) };
}

/** If the acknowledgment is another person's by now, shows the row, which asks again. */
async function unacknowledgedNow(
  target: ActionTarget,
  who: Unacknowledgment,
  parts: ActingParts,
): Promise<MessageContent> {
  const { is, answer } = await unacknowledged(target, who, parts);
  const on = is === 'another' ? await parts.store.actedOn(target, parts.now()) : null;
  return on === null ? answer : nowMessage(on, target.messageId, answer);
}

/** Returns false if Slack refuses it. */
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

async function assigned(
  target: ActionTarget,
  { to, by }: { readonly to: string; readonly by: string },
  parts: ActingParts,
): Promise<MessageContent> {
  const done = await assignIncident(target, { to, by }, parts);
  const [isInformed] = done.is === 'done' ? await informOf(done, parts) : [true];
  return assigningMessage(done, target, { isInformed, now: parts.now() });
}

/** Returns whether the assignee knows. */
async function informOf(
  { on, assigned, before }: Extract<Assigning, { is: 'done' }>,
  parts: ActingParts,
): Promise<readonly [isInformed: boolean, ...others: boolean[]]> {
  const { to, by } = assigned;
  return Promise.all([
    to === by || inform(to, assignedToYou(on, by), parts),
    before === null || before.to === by || inform(before.to, assignedToAnother(on, assigned), parts),
  ]);
}

function noteRoute(parts: ActingParts): Surface {
  return {
    surface: 'view',
    callbackId: NOTE_FORM,
    take: (view) => {
      const form = formIn(view);
      const note = parseNote(view.valueIn(NOTE_FIELD) ?? '');
      if ('wrong' in note) return { is: 'refused', errors: { [NOTE_FIELD]: note.wrong } };
      return taken(form, async (by) => notingMessage(await addNote(form.target, { text: note.text, by }, parts)));
    },
  };
}

/** `read`: null if something that a form of this version always has is missing. */
function formRoute<Typed>(
  callbackId: string,
  read: (valueIn: FilledView['valueIn']) => Typed | null,
  act: (form: IncidentForm, typed: Typed, userId: string) => Promise<MessageContent>,
): Surface {
  return {
    surface: 'view',
    callbackId,
    take: (view) => {
      const form = formIn(view);
      const typed = read(view.valueIn);
      if (typed === null) throw new OldButtonError();
      return taken(form, (userId) => act(form, typed, userId));
    },
  };
}

function formIn({ privateMetadata }: FilledView): IncidentForm {
  const form = parseIncidentForm(privateMetadata);
  if (form === null) throw new OldButtonError();
  return form;
}

function taken({ answerUrl }: IncidentForm, act: (userId: string) => Promise<MessageContent>): Submitted {
  const answer = async ({ userId, reply }: SubmissionInteraction) => reply.show(await act(userId));
  return { is: 'taken', next: null, answerUrl, answer };
}
