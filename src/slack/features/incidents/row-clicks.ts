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
import { type ChosenControl, followActions, parseChosenControl, ROW_ACTION } from '../../incident-view/row-controls.ts';
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
import { LONGEST_NOTE, MUTE_BREAKS, noteVerb, refuseUnassignable, type Verb, verbMessage } from './run-verb.ts';
import { timelineAnswer } from './timeline.ts';

const FORM = 'incident.form';
const FIELD = 'incident.field';

/** Verbs that take a form; the others are done by the click. */
const WITH_FORM = ['muted', 'assigned', 'noted'] as const;

/** What a form keeps. */
const Kept = z.object({
  /** The verb. */
  act: z.enum(WITH_FORM),
  ...KeptRef.shape,
  messageId: z.string().nullable(),
  channel: z.string().nullable(),
  answerAt: AnswerAt.nullable(),
});

interface VerbForm {
  title: string;
  blocks: (incident: IncidentNow, userId: string) => Form['blocks'];
  verb: (typed: string) => Verb;
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
    verb: (typed) => {
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
    verb: (to) => ({ what: 'assigned', to }),
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
    verb: noteVerb,
  },
};

const hasForm = (name: string): name is keyof typeof FORMS => Object.hasOwn(FORMS, name);

/** The routes of an incident's row: its buttons, its menu and their forms. */
export function rowRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [
      actionRoute(ROW_ACTION, parseChosenControl, (chosen, interaction) => click(ctx, chosen, interaction)),
    ]),
    ...routesFor('members', [{ surface: 'view', id: FORM, take: (view) => take(ctx, view) }]),
  ];
}

async function click(ctx: SlackCtx, { control, target }: ChosenControl, interaction: ActionInteraction): Promise<void> {
  const { userId, reply, channelId: channel, answerAt } = interaction;
  if (control === 'events') return reply.show(await failuresAnswer(ctx, { ...target, upTo: null, offset: 0 }));
  if (control === 'affected') return reply.show(await affectedAnswer(ctx, target));
  if (control === 'timeline') return reply.show(await timelineAnswer(ctx, target));
  if (control === 'on-call') return reply.show(await onCallAnswer(ctx, target));
  await ctx.accessControl.authorize(userId, control === 'send-again' ? 'operators' : 'members');
  if (control === 'send-again') return openResend(ctx, target, interaction);
  if (!hasForm(control)) return reply.show(await verbMessage(ctx, { ...target, channel, userId }, [{ what: control }]));
  const form = FORMS[control];
  await inModal(ctx, interaction, form.title, async () => {
    const incident = await incidentNumbered(ctx.db, target, ctx.now());
    return formView({
      callbackId: FORM,
      submit: form.title,
      ...form,
      kept: { act: control, ...target, channel, answerAt },
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
  const { act: name, answerAt, ...target } = keptIn(Kept, view);
  const { field, errors } = readForm(view);
  const verb = field(FIELD, FORMS[name].verb, null);
  if (verb === null) return { is: 'invalid', errors };
  return {
    is: 'accepted',
    next: null,
    answerAt,
    answer: async ({ userId, reply }) => {
      if (verb.what === 'assigned') await refuseUnassignable(ctx, verb.to);
      const failed = (error: unknown) => {
        if (verb.what !== 'noted') throw error;
        return withNote(cardFor(ctx, error), mrkdwn`Your note: ${noteWords(verb)}`);
      };
      await reply.show(await verbMessage(ctx, { ...target, userId }, [verb]).catch(failed));
    },
  };
}
