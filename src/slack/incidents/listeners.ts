import type { ModalView } from '@slack/types';
import type { Access } from '../../domain/access/membership.ts';
import { type ActionTarget, acknowledge, addNote, assign, resolve, unacknowledge } from '../../incidents/actions.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { incidentNow } from '../../incidents/lists.ts';
import type { MuteEnd } from '../../watches/mute-words.ts';
import { muteIn, unmuteIn } from '../../watches/mutes.ts';
import type { Watch } from '../../watches/settings.ts';
import { watchOfMessage } from '../../watches/watches.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { ACT, ACT_BUTTON, type IncidentAct, parseAct } from '../blocks/incident/incident-menu.ts';
import { resultView } from '../blocks/view.ts';
import type { SlackCtx } from '../ctx.ts';
import type { Flow } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  SubmissionInteraction,
} from '../interactions/interaction.ts';
import {
  actionRoute,
  OldButtonError,
  type Route,
  routesFor,
  type Submitted,
  type Surface,
} from '../interactions/route.ts';
import { actCommands, type IncidentTyped, muteNamed, showNumbered, unmuteNamed } from './commands.ts';
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
import { listRoutes, showAffected, showEvents } from './list-listeners.ts';
import {
  acknowledgingMessage,
  assigningMessage,
  FORGOTTEN,
  mutingMessage,
  notingMessage,
  nowMessage,
  resolvingMessage,
  unacknowledgedMessage,
  unmutingMessage,
  WATCH_ENDED,
} from './message.ts';

export interface IncidentsFlow extends Flow {
  readonly muteNamed: (
    named: IncidentTyped & { readonly end: MuteEnd },
    channel: string,
    interaction: CommandInteraction,
  ) => Promise<void>;
  readonly unmuteNamed: (named: IncidentTyped, channel: string, interaction: CommandInteraction) => Promise<void>;
  readonly showNumbered: (number: string, environment: string, interaction: CommandInteraction) => Promise<void>;
}

export function incidentsFlow(parts: SlackCtx): IncidentsFlow {
  return {
    commands: actCommands(parts),
    routes: actingRoutes(parts),
    muteNamed: (named, channel, interaction) => muteNamed(named, channel, interaction, parts),
    unmuteNamed: (named, channel, interaction) => unmuteNamed(named, channel, interaction, parts),
    showNumbered: (number, environment, interaction) => showNumbered(number, environment, interaction, parts),
  };
}

function actingRoutes(parts: SlackCtx): Route[] {
  return [
    // All entries are one route: `ACTS` says who can use which.
    ...routesFor(
      'everyone',
      [ACT, ACT_BUTTON].map((id) =>
        actionRoute(id, parseAct, async ({ act, target }, interaction) => {
          await parts.accessControl.authorize(interaction.userId, ACTS[act].for);
          await ACTS[act].answer(target, interaction, parts);
        }),
      ),
    ),
    ...routesFor('members', [
      formRoute(MUTE_FORM, parseLength, async ({ target }, end, by) => {
        const watch = await watchOf(target, parts);
        const watches = watch === null ? [] : [watch];
        const [muted] = await muteIn(parts, { watches, incidentId: target.incidentId }, end, by);
        return mutingMessage(muted?.mute ?? null);
      }),
      formRoute(ASSIGN_FORM, parseAssignee, async ({ target }, to, by) =>
        assigningMessage(await assign(parts, target, to, by), parts.now()),
      ),
      formRoute(
        UNACKNOWLEDGE_FORM,
        () => true,
        async ({ target, acknowledgedBy }, _confirmed, by) => {
          const done = await unacknowledge(parts, target, acknowledgedBy ?? by, by);
          const answer = unacknowledgedMessage(done, parts.now());
          const incident = done.is === 'another' ? await incidentNow(parts.db, target.incidentId, parts.now()) : null;
          return incident === null ? answer : nowMessage(incident, target.messageId, answer);
        },
      ),
      noteRoute(parts),
    ]),
    ...listRoutes(parts),
  ];
}

function watchOf({ messageId }: ActionTarget, { db }: SlackCtx): Promise<Watch | null> {
  return messageId === null ? Promise.resolve(null) : watchOfMessage(db, messageId);
}

type Act = (target: ActionTarget, interaction: ActionInteraction, parts: SlackCtx) => Promise<void>;

const forMembers = (answer: Act) => ({ for: 'members', answer }) as const;
const forEveryone = (answer: Act) => ({ for: 'everyone', answer }) as const;

const ACTS: { readonly [One in IncidentAct]: { readonly for: Access; readonly answer: Act } } = {
  acknowledge: forMembers(async (target, { userId, reply }, parts) =>
    reply.show(acknowledgingMessage(await acknowledge(parts, target, userId), target, parts.now())),
  ),
  unacknowledge: forMembers(openUnacknowledge),
  assign: forMembers((target, interaction, parts) =>
    openForm(target, interaction, ASSIGN_TITLE, (on, form) => assignView(on, form, interaction.userId), parts),
  ),
  resolve: forMembers(async (target, { userId, reply }, parts) =>
    reply.show(resolvingMessage(await resolve(parts, target, userId), target)),
  ),
  mute: forMembers(openMute),
  unmute: forMembers(async (target, { userId, reply }, parts) => reply.show(await unmuted(target, userId, parts))),
  note: forMembers((target, interaction, parts) => openForm(target, interaction, NOTE_TITLE, noteView, parts)),
  events: forEveryone(showEvents),
  affected: forEveryone(showAffected),
};

async function unmuted(target: ActionTarget, by: string, parts: SlackCtx): Promise<MessageContent> {
  const watch = await watchOf(target, parts);
  if (watch === null) return WATCH_ENDED;
  const done = await unmuteIn(parts, { watches: [watch], incidentId: target.incidentId }, by);
  return unmutingMessage(done.length > 0);
}

async function openForm(
  target: ActionTarget,
  interaction: ActionInteraction,
  title: string,
  viewOf: (on: IncidentNow, form: IncidentForm) => ModalView | Promise<ModalView>,
  parts: SlackCtx,
): Promise<void> {
  const form = { target, answerUrl: interaction.answerUrl, acknowledgedBy: null };
  const draw = async () => {
    const on = await incidentNow(parts.db, target.incidentId, parts.now());
    return on === null ? resultView(FORGOTTEN, title) : viewOf(on, form);
  };
  await inModal(interaction, title, draw, parts);
}

async function openMute(target: ActionTarget, interaction: ActionInteraction, parts: SlackCtx): Promise<void> {
  const viewOf = async (on: IncidentNow, form: IncidentForm) => {
    const watch = await watchOf(target, parts);
    if (watch === null) return resultView(WATCH_ENDED, MUTE_TITLE);
    const timeZone = (await parts.workspace.timeZoneOf(interaction.userId)) ?? watch.settings.timeZone;
    return muteView(on, form, { timeZone, now: parts.now() });
  };
  await openForm(target, interaction, MUTE_TITLE, viewOf, parts);
}

/** At once if it's the person's own acknowledgment, else asks for confirmation. */
async function openUnacknowledge(target: ActionTarget, interaction: ActionInteraction, parts: SlackCtx): Promise<void> {
  const { userId } = interaction;
  const viewOf = async ({ acknowledged, ...on }: IncidentNow, form: IncidentForm) => {
    const by = acknowledged?.by ?? userId;
    if (by !== userId) return unacknowledgeView({ ...on, acknowledged }, form, by);
    return resultView(
      unacknowledgedMessage(await unacknowledge(parts, target, userId, userId), parts.now()),
      UNACKNOWLEDGE_TITLE,
    );
  };
  await openForm(target, interaction, UNACKNOWLEDGE_TITLE, viewOf, parts);
}

function noteRoute(parts: SlackCtx): Surface {
  return {
    surface: 'view',
    callbackId: NOTE_FORM,
    take: (view) => {
      const form = formIn(view);
      const note = parseNote(view.valueIn(NOTE_FIELD) ?? '');
      if ('wrong' in note) return { is: 'refused', errors: { [NOTE_FIELD]: note.wrong } };
      return taken(form, async (by) => notingMessage(await addNote(parts, form.target, note.text, by)));
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
