import { z } from 'zod';
import { type OnCall, onCallNow } from '../../../health/on-call.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { IncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { verdictClassOf } from '../../../judging/verdict.ts';
import { mayCover } from '../../../watches/covers.ts';
import { MUTE_LENGTHS, parseMuteLength } from '../../../watches/parse-mute.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { incidentFacts, noteWords } from '../../incident-view/incident-words.ts';
import { ACT, type ChosenEntry, followActions, parseAct } from '../../incident-view/row-controls.ts';
import { context, section } from '../../kit/blocks.ts';
import { cardFor } from '../../kit/error-card.ts';
import { readForm } from '../../kit/filled-form.ts';
import { inModal, KeptRef } from '../../kit/in-modal.ts';
import { choiceInput, personInput, textInput } from '../../kit/inputs.ts';
import type { ActionInteraction, FilledView, Submitted } from '../../kit/interaction.ts';
import { asMessage, type MessageContent, withNote } from '../../kit/message.ts';
import { AnswerAt } from '../../kit/places.ts';
import { joined, mrkdwn } from '../../kit/text.ts';
import { type Form, formView, keptIn } from '../../kit/views.ts';
import { onCallWords } from '../../kit/watch-words.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../../router/route.ts';
import { affectedAnswer } from './affected.ts';
import { failuresAnswer } from './incident-failures.ts';
import { openResend } from './resend.ts';
import { type Action, LONGEST_NOTE, MUTE_BREAKS, noteAction, refuseUnassignable, verbMessage } from './run-verb.ts';
import { timelineAnswer } from './timeline.ts';

const FORM = 'incident.form';
const FIELD = 'incident.field';

/** What a person does by a form; the others are done by a click. */
const WITH_FORM = ['muted', 'assigned', 'noted'] as const;

/** What a form keeps. */
const Kept = z.object({
  act: z.enum(WITH_FORM),
  ...KeptRef.shape,
  messageId: z.string().nullable(),
  channel: z.string().nullable(),
  answerAt: AnswerAt.nullable(),
});

interface VerbForm {
  title: string;
  blocks: (incident: IncidentNow, userId: string) => Form['blocks'];
  action: (typed: string) => Action;
}

const FORMS: { [What in (typeof WITH_FORM)[number]]: VerbForm } = {
  muted: {
    title: 'Mute',
    blocks: () => [
      choiceInput(
        'radio_buttons',
        { blockId: FIELD, label: 'For how long', hint: `You'll get what you missed then, ${MUTE_BREAKS}.` },
        MUTE_LENGTHS,
        '1h',
      ),
      context("It's muted in this watch only: other watches keep alerting."),
    ],
    action: (typed) => {
      const time = parseMuteLength(typed);
      if (time === null) throw new OldButtonError();
      return { what: 'muted', time };
    },
  },
  assigned: {
    title: 'Assign',
    blocks: ({ assignedTo }, userId) => [
      personInput({ blockId: FIELD, label: 'Assign to' }, assignedTo ?? userId),
      context("They get a direct message, and the incident's rows show who has it."),
    ],
    action: (to) => ({ what: 'assigned', to }),
  },
  noted: {
    title: 'Add a note',
    blocks: () => [
      textInput({
        blockId: FIELD,
        label: 'Note',
        placeholder: 'What it was, and what helped',
        hint: 'Everyone sees it, and again when the cause comes back. Secrets and contacts are masked.',
        longest: LONGEST_NOTE,
        isFocused: true,
      }),
    ],
    action: noteAction,
  },
};

const hasForm = (name: string): name is keyof typeof FORMS => Object.hasOwn(FORMS, name);

/** The routes of an incident's row: its buttons, its menu and their forms. */
export function rowRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [actionRoute(ACT, parseAct, (chosen, interaction) => click(ctx, chosen, interaction))]),
    ...routesFor('members', [{ surface: 'view', id: FORM, take: (view) => take(ctx, view) }]),
  ];
}

async function click(ctx: SlackCtx, { act: name, target }: ChosenEntry, interaction: ActionInteraction): Promise<void> {
  const { userId, reply, channelId: channel, answerAt } = interaction;
  if (name === 'events') return reply.show(await failuresAnswer(ctx, { ...target, upTo: null, offset: 0 }));
  if (name === 'affected') return reply.show(await affectedAnswer(ctx, target));
  if (name === 'timeline') return reply.show(await timelineAnswer(ctx, target));
  if (name === 'on-call') return reply.show(await onCallAnswer(ctx, target));
  await ctx.accessControl.authorize(userId, name === 'send-again' ? 'operators' : 'members');
  if (name === 'send-again') return openResend(ctx, target, interaction);
  if (!hasForm(name)) return reply.show(await verbMessage(ctx, { ...target, channel, userId }, [{ what: name }]));
  const form = FORMS[name];
  await inModal(ctx, interaction, form.title, async () => {
    const incident = await incidentNumbered(ctx.db, target, ctx.now());
    return formView({
      callbackId: FORM,
      submit: form.title,
      ...form,
      kept: { act: name, ...target, channel, answerAt },
      blocks: [
        section([incidentHeading(incident, ctx.environments), joined(incidentFacts(incident, 'whole'))]),
        ...form.blocks(incident, userId),
      ],
    });
  });
}

async function onCallAnswer(ctx: SlackCtx, target: IncidentRef): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, target, ctx.now());
  const onCall = onCallWords(await onCallFor(ctx, incident));
  const nobody = 'No watch that covers it mentions anybody.';
  return asMessage([incidentHeading(incident, ctx.environments), onCall ?? nobody], [followActions(incident)]);
}

/** Whom the watches that cover the incident mention. */
export function onCallFor(ctx: SlackCtx, incident: IncidentNow): Promise<readonly OnCall[]> {
  const covered = { ...incident, verdictClass: verdictClassOf(incident.verdict) };
  return onCallNow(ctx, (filter) => mayCover(filter, covered));
}

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const { act, answerAt, ...target } = keptIn(Kept, view);
  const { field, errors } = readForm(view);
  const action = field(FIELD, FORMS[act].action, null);
  if (action === null) return { is: 'invalid', errors };
  return {
    is: 'accepted',
    next: null,
    answerAt,
    answer: async ({ userId, reply }) => {
      if (action.what === 'assigned') await refuseUnassignable(ctx, action.to);
      const failed = (error: unknown) => {
        if (action.what !== 'noted') throw error;
        return withNote(cardFor(ctx, error), mrkdwn`Your note: ${noteWords(action)}`);
      };
      await reply.show(await verbMessage(ctx, { ...target, userId }, [action]).catch(failed));
    },
  };
}
