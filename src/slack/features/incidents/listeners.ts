import type { ModalView } from '@slack/types';
import { type ActionTarget, acknowledge, addNote, assign, resolve, unacknowledge } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import type { Access } from '../../../lib/people.ts';
import type { MuteEnd } from '../../../watches/mute-words.ts';
import { muteIn, unmuteIn } from '../../../watches/mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { watchOfMessage } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { ACT, ACT_BUTTON, type IncidentAct, parseAct } from '../../kit/incident/incident-menu.ts';
import { resultView } from '../../kit/view.ts';
import type { Flow } from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  SubmissionInteraction,
} from '../../router/interaction.ts';
import {
  actionRoute,
  OldButtonError,
  type Route,
  routesFor,
  type Submitted,
  type Surface,
} from '../../router/route.ts';
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

export function incidentsFlow(ctx: SlackCtx): IncidentsFlow {
  return {
    commands: actCommands(ctx),
    routes: actingRoutes(ctx),
    muteNamed: (named, channel, interaction) => muteNamed(ctx, named, channel, interaction),
    unmuteNamed: (named, channel, interaction) => unmuteNamed(ctx, named, channel, interaction),
    showNumbered: (number, environment, interaction) => showNumbered(ctx, number, environment, interaction),
  };
}

function actingRoutes(ctx: SlackCtx): Route[] {
  return [
    // All entries are one route: `ACTS` says who can use which.
    ...routesFor(
      'everyone',
      [ACT, ACT_BUTTON].map((id) =>
        actionRoute(id, parseAct, async ({ act, target }, interaction) => {
          await ctx.accessControl.authorize(interaction.userId, ACTS[act].for);
          await ACTS[act].answer(ctx, target, interaction);
        }),
      ),
    ),
    ...routesFor('members', [
      formRoute(MUTE_FORM, parseLength, async ({ target }, end, by) => {
        const watch = await watchOf(ctx, target);
        const watches = watch === null ? [] : [watch];
        const [muted] = await muteIn(ctx, { watches, incidentId: target.incidentId }, end, by);
        return mutingMessage(muted?.mute ?? null);
      }),
      formRoute(ASSIGN_FORM, parseAssignee, async ({ target }, to, by) =>
        assigningMessage(await assign(ctx, target, to, by), ctx.now()),
      ),
      formRoute(
        UNACKNOWLEDGE_FORM,
        () => true,
        async ({ target, acknowledgedBy }, _confirmed, by) => {
          const done = await unacknowledge(ctx, target, acknowledgedBy ?? by, by);
          const answer = unacknowledgedMessage(done, ctx.now());
          const incident = done.is === 'another' ? await incidentNow(ctx.db, target.incidentId, ctx.now()) : null;
          return incident === null ? answer : nowMessage(incident, target.messageId, answer);
        },
      ),
      noteRoute(ctx),
    ]),
    ...listRoutes(ctx),
  ];
}

function watchOf({ db }: SlackCtx, { messageId }: ActionTarget): Promise<Watch | null> {
  return messageId === null ? Promise.resolve(null) : watchOfMessage(db, messageId);
}

type Act = (ctx: SlackCtx, target: ActionTarget, interaction: ActionInteraction) => Promise<void>;

const forMembers = (answer: Act) => ({ for: 'members', answer }) as const;
const forEveryone = (answer: Act) => ({ for: 'everyone', answer }) as const;

const ACTS: { readonly [One in IncidentAct]: { readonly for: Access; readonly answer: Act } } = {
  acknowledge: forMembers(async (ctx, target, { userId, reply }) =>
    reply.show(acknowledgingMessage(await acknowledge(ctx, target, userId), target, ctx.now())),
  ),
  unacknowledge: forMembers(openUnacknowledge),
  assign: forMembers((ctx, target, interaction) =>
    openForm(ctx, target, interaction, ASSIGN_TITLE, (on, form) => assignView(on, form, interaction.userId)),
  ),
  resolve: forMembers(async (ctx, target, { userId, reply }) =>
    reply.show(resolvingMessage(await resolve(ctx, target, userId), target)),
  ),
  mute: forMembers(openMute),
  unmute: forMembers(async (ctx, target, { userId, reply }) => reply.show(await unmuted(ctx, target, userId))),
  note: forMembers((ctx, target, interaction) => openForm(ctx, target, interaction, NOTE_TITLE, noteView)),
  events: forEveryone(showEvents),
  affected: forEveryone(showAffected),
};

async function unmuted(ctx: SlackCtx, target: ActionTarget, by: string): Promise<MessageContent> {
  const watch = await watchOf(ctx, target);
  if (watch === null) return WATCH_ENDED;
  const done = await unmuteIn(ctx, { watches: [watch], incidentId: target.incidentId }, by);
  return unmutingMessage(done.length > 0);
}

async function openForm(
  ctx: SlackCtx,
  target: ActionTarget,
  interaction: ActionInteraction,
  title: string,
  viewOf: (on: IncidentNow, form: IncidentForm) => ModalView | Promise<ModalView>,
): Promise<void> {
  const form = { target, answerUrl: interaction.answerUrl, acknowledgedBy: null };
  const draw = async () => {
    const on = await incidentNow(ctx.db, target.incidentId, ctx.now());
    return on === null ? resultView(FORGOTTEN, title) : viewOf(on, form);
  };
  await inModal(ctx, interaction, title, draw);
}

async function openMute(ctx: SlackCtx, target: ActionTarget, interaction: ActionInteraction): Promise<void> {
  const viewOf = async (on: IncidentNow, form: IncidentForm) => {
    const watch = await watchOf(ctx, target);
    if (watch === null) return resultView(WATCH_ENDED, MUTE_TITLE);
    const timeZone = (await ctx.workspace.timeZoneOf(interaction.userId)) ?? watch.settings.timeZone;
    return muteView(on, form, { timeZone, now: ctx.now() });
  };
  await openForm(ctx, target, interaction, MUTE_TITLE, viewOf);
}

/** At once if it's the person's own acknowledgment, else asks for confirmation. */
async function openUnacknowledge(ctx: SlackCtx, target: ActionTarget, interaction: ActionInteraction): Promise<void> {
  const { userId } = interaction;
  const viewOf = async ({ acknowledged, ...on }: IncidentNow, form: IncidentForm) => {
    const by = acknowledged?.by ?? userId;
    if (by !== userId) return unacknowledgeView({ ...on, acknowledged }, form, by);
    return resultView(
      unacknowledgedMessage(await unacknowledge(ctx, target, userId, userId), ctx.now()),
      UNACKNOWLEDGE_TITLE,
    );
  };
  await openForm(ctx, target, interaction, UNACKNOWLEDGE_TITLE, viewOf);
}

function noteRoute(ctx: SlackCtx): Surface {
  return {
    surface: 'view',
    callbackId: NOTE_FORM,
    take: (view) => {
      const form = formIn(view);
      const note = parseNote(view.valueIn(NOTE_FIELD) ?? '');
      if ('wrong' in note) return { is: 'refused', errors: { [NOTE_FIELD]: note.wrong } };
      return taken(form, async (by) => notingMessage(await addNote(ctx, form.target, note.text, by)));
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
