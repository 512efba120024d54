import { z } from 'zod';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { incidentsInOrder } from '../../../incidents/incidents-now.ts';
import { incidentNumbered, openIncidents } from '../../../incidents/lists.ts';
import { notesOf } from '../../../incidents/notes.ts';
import { InputError } from '../../../lib/errors.ts';
import { incidentIn, incidentsIn, writeIncidentRef } from '../../../lib/input/typed-values.ts';
import { MUTE_LENGTHS, parseMuteLength } from '../../../watches/mute-words.ts';
import type { SlackCtx } from '../../ctx.ts';
import { ACT, type ChosenEntry, parseAct } from '../../incident-view/incident-actions.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { incidentFacts, noteWords } from '../../incident-view/incident-words.ts';
import { context, runButton, section } from '../../kit/blocks.ts';
import { cardFor } from '../../kit/error-card.ts';
import { inModal, KeptRef } from '../../kit/in-modal.ts';
import { choiceInput, personInput, readForm, textInput } from '../../kit/inputs.ts';
import type { ActionInteraction, CommandInteraction, FilledView, Submitted } from '../../kit/interaction.ts';
import { asMessage, type Form, formView, keptIn, type MessageContent, withNote } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { AnswerAt } from '../../kit/places.ts';
import { joined, mrkdwn, person, time } from '../../kit/text.ts';
import type { Answers, Flow } from '../../router/command.ts';
import { actionRoute, OldButtonError, routesFor } from '../../router/route.ts';
import { draftCommand } from './draft.ts';
import { affectedAnswer, failuresAnswer, failuresRoutes } from './failures.ts';
import { openResend, resendFlow } from './resend.ts';
import { timelineAnswer, timelineCommand, timelineRoutes } from './timeline.ts';
import {
  type Action,
  incidentCard,
  LONGEST_NOTE,
  MUTE_BREAKS,
  noteAction,
  refuseUnassignable,
  runVerb,
  runVerbs,
  verbCommands,
} from './verb-commands.ts';

export interface IncidentsFlow extends Flow {
  /** Serves /notif mute and unmute. */
  changeMutes: (words: readonly string[], action: Action, interaction: CommandInteraction) => Promise<MessageContent>;
  incidentAnswer: Answers['incidentAnswer'];
  whichIncident: Answers['whichIncident'];
}

export function incidentsFlow(ctx: SlackCtx): IncidentsFlow {
  const resend = resendFlow(ctx);
  return {
    commands: [...verbCommands(ctx), draftCommand(ctx), timelineCommand(ctx), ...resend.commands],
    routes: [
      ...routesFor('everyone', [actionRoute(ACT, parseAct, (chosen, interaction) => click(ctx, chosen, interaction))]),
      ...routesFor('members', [{ surface: 'view', id: FORM, take: (view) => submitted(ctx, view) }]),
      ...failuresRoutes(ctx),
      ...timelineRoutes(ctx),
      ...resend.routes,
    ],
    // Only unmute's words aren't parsed yet, so an error's example is of it.
    changeMutes: (words, action, interaction) => runVerbs(ctx, incidentsIn(words, 'unmute'), [action], interaction),
    incidentAnswer: async (number, { channelId: channel }) => {
      // 'ack' is only the command in an error's example.
      const ref = incidentIn([number], 'ack');
      const shown = await incidentCard(ctx, ref, channel);
      // The card itself shows the newest note.
      const [_newest, ...earlier] = await notesOf(ctx.db, ref.incidentId, MOST_NOTES);
      const notes = earlier.map((note) => mrkdwn`📝 ${person(note.actor)}, ${time(note.at)}: ${noteWords(note)}`);
      return withNote(shown, joined(notes, '\n'));
    },
    whichIncident: async (error, { text, inThreadOf = [] }) => {
      const example = error instanceof InputError && error.field === 'incident' ? error.example : null;
      const [, verb = '', typed = ''] = /^\s*(\S+)\s*(.*)$/su.exec(text) ?? [];
      if (example === null || verb === 'reopen') throw error;
      const names = ctx.environments.map(({ name }) => name);
      const items =
        inThreadOf.length > 0
          ? await incidentsInOrder(
              ctx.db,
              inThreadOf.slice(0, MOST_OFFERED).map((id) => ({ id })),
              ctx.now(),
            )
          : (await openIncidents(ctx.db, names, MOST_OFFERED, ctx.now())).items;
      if (items.length === 0) throw error;
      const others = verb === 'note' ? [typed] : (typed.match(/<@[^>]+>/g) ?? []);
      const label = capitalized(verb === 'ack' ? 'acknowledge' : verb);
      const rows = items.map((incident) => {
        const command = [verb, `#${writeIncidentRef(refOf(incident))}`, ...others].join(' ');
        return section(incidentHeading(incident, ctx.environments), runButton(label, command));
      });
      return asMessage('Which incident?', rows);
    },
  };
}

const MOST_OFFERED = 10;

const MOST_NOTES = 5;

const WITH_FORM = ['muted', 'assigned', 'noted'] as const;

interface VerbForm {
  title: string;
  blocks: (incident: IncidentNow, userId: string) => Form['blocks'];
  action: (typed: string) => Action;
}

const FIELD = 'incident.field';

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
        hint: 'Everyone sees it, and again when the cause comes back. Secrets, contacts and the paths of links are masked.',
        longest: LONGEST_NOTE,
        isFocused: true,
      }),
    ],
    action: noteAction,
  },
};

const hasForm = (name: string): name is keyof typeof FORMS => Object.hasOwn(FORMS, name);

async function click(ctx: SlackCtx, { act: name, target }: ChosenEntry, interaction: ActionInteraction) {
  const { userId, reply, channelId: channel, answerAt } = interaction;
  if (name === 'events') return reply.show(await failuresAnswer(ctx, { ...target, upTo: null, offset: 0 }));
  if (name === 'affected') return reply.show(await affectedAnswer(ctx, target));
  if (name === 'timeline') return reply.show(await timelineAnswer(ctx, target));
  await ctx.accessControl.authorize(userId, name === 'send-again' ? 'operators' : 'members');
  if (name === 'send-again') return openResend(ctx, target, interaction);
  if (!hasForm(name)) return reply.show(asMessage(await runVerb(ctx, { ...target, channel, userId }, { what: name })));
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

const FORM = 'incident.form';
const Kept = z.object({
  act: z.enum(WITH_FORM),
  ...KeptRef.shape,
  messageId: z.string().nullable(),
  channel: z.string().nullable(),
  answerAt: AnswerAt.nullable(),
});

function submitted(ctx: SlackCtx, view: FilledView): Submitted {
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
      await reply.show(await runVerb(ctx, { ...target, userId }, action).then(asMessage, failed));
    },
  };
}
