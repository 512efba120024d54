import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type ActionTarget, act } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { notesOf } from '../../../incidents/notes.ts';
import { follow } from '../../../incidents/people.ts';
import { InputError } from '../../../lib/errors.ts';
import { incidentNumberIn, incidentNumbersIn } from '../../../lib/input/typed-values.ts';
import { scrubTyped } from '../../../lib/text/scrub.ts';
import type { IncidentAction } from '../../../outbox/events.ts';
import { MUTE_LENGTHS, type MuteEnd, parseMuteLength } from '../../../watches/mute-words.ts';
import { muteIn, unmuteIn } from '../../../watches/mutes.ts';
import { mutesEndingAfter } from '../../../watches/running-mutes.ts';
import { isAbout } from '../../../watches/settings.ts';
import { watches, watchOfMessage } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentMessage } from '../../incident-view/incident-row.ts';
import { ACT, parseAct, VERBS, writeActionTarget } from '../../incident-view/incident-verbs.ts';
import { factsLine, incidentHeading, noteWords, subjectText } from '../../incident-view/incident-words.ts';
import { context, section } from '../../kit/blocks.ts';
import { choiceInput, personInput, readForm, textInput } from '../../kit/inputs.ts';
import { type MessageContent, sentence, withNote } from '../../kit/message.ts';
import { code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { formView, keptIn } from '../../kit/view.ts';
import { numberOf } from '../../kit/words/names.ts';
import { mutedWords, watchNumbers } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction, CommandInteraction, FilledView } from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { AnswerAt } from '../../router/places.ts';
import { actionRoute, OldButtonError, routesFor, type Submitted } from '../../router/route.ts';
import { affected, affectedRoutes } from './affected.ts';
import { draftCommand } from './draft.ts';
import { failures, failuresRoutes } from './failures.ts';
import { openResend, resendFlow } from './resend.ts';

export function incidentsFlow(ctx: SlackCtx) {
  const resend = resendFlow(ctx);
  return {
    commands: [...commands(ctx), draftCommand(ctx), ...resend.commands],
    routes: [
      ...routesFor('everyone', [actionRoute(ACT, parseAct, (chosen, interaction) => click(ctx, chosen, interaction))]),
      ...routesFor('members', [{ surface: 'view', id: FORM, take: (view) => submitted(ctx, view) }]),
      ...failuresRoutes(ctx),
      ...affectedRoutes(ctx),
      ...resend.routes,
    ],
    /** Unmutes if `end` is null. */
    muteNamed: (words: readonly string[], end: MuteEnd | null, interaction: CommandInteraction) => {
      const action: MuteAction = end === null ? { what: 'unmuted' } : { what: 'muted', end };
      return runVerb(ctx, incidentNumberIn(words, end === null ? 'unmute' : 'mute'), [action], interaction);
    },
    showNumbered: async (number: string, { reply, channelId: channel }: CommandInteraction) => {
      const incidentId = incidentNumberIn([number], 'ack');
      const shown = await incidentHere(ctx, { messageId: null, incidentId, channel });
      const [_newest, ...earlier] = await notesOf(ctx.db, incidentId, MOST_NOTES);
      const notes = earlier.map((note) => mrkdwn`📝 ${person(note.by)}, ${time(note.at, 'day')}: ${noteWords(note)}`);
      await reply.show(withNote(shown, joined(notes, '\n')));
    },
  };
}

const MOST_NOTES = 5;

type MuteAction = { what: 'muted'; end: MuteEnd } | { what: 'unmuted' };
type Action = IncidentAction | MuteAction;

interface VerbForm {
  title: string;
  submit?: string;
  blocks: (incident: IncidentNow, userId: string) => readonly KnownBlock[];
  action: (typed: string) => Action;
}

const FIELD = 'incident.field';

const LONGEST_NOTE = 200;

const FORMS: { readonly [What in 'muted' | 'assigned' | 'noted']: VerbForm } = {
  muted: {
    title: 'Mute',
    blocks: () => [
      choiceInput(
        'radio_buttons',
        { blockId: FIELD, label: 'For how long', hint: "You'll get what you missed at the end." },
        MUTE_LENGTHS,
        '1h',
      ),
      context(mrkdwn`It's muted in this watch only: other watches keep alerting.`),
    ],
    action: (typed) => {
      const end = parseMuteLength(typed);
      if (end === null) throw new OldButtonError();
      return { what: 'muted', end };
    },
  },
  assigned: {
    title: 'Assign',
    blocks: ({ assignedTo }, userId) => [
      personInput({ blockId: FIELD, label: 'Assign to' }, assignedTo ?? userId),
      context(mrkdwn`They get a direct message, and the incident's rows show who has it.`),
    ],
    action: (to) => ({ what: 'assigned', to }),
  },
  noted: {
    title: 'Add a note',
    submit: 'Add',
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

function noteAction(typed: string, example: string | null = null): IncidentAction {
  const text = scrubTyped(typed);
  if (text === '') throw new InputError('note', 'There is no text in this note.', example);
  if (typed.trim().length <= LONGEST_NOTE) return { what: 'noted', text };
  throw new InputError('note', `A note takes ${LONGEST_NOTE} characters at most.`);
}

const NOTED = '#17 key had been rotated in vault, not here';

const hasForm = (name: string): name is keyof typeof FORMS => Object.hasOwn(FORMS, name);

type Clicked = NonNullable<ReturnType<typeof parseAct>>;

async function click(ctx: SlackCtx, { act: name, target }: Clicked, interaction: ActionInteraction): Promise<void> {
  const { userId, reply, channelId: channel } = interaction;
  const { incidentId } = target;
  if (name === 'events') return reply.show(await failures(ctx, { incidentId, upTo: null, offset: 0 }));
  if (name === 'affected') return reply.show(await affected(ctx, incidentId));
  await ctx.accessControl.authorize(userId, name === 'send-again' ? 'operators' : 'members');
  if (name === 'send-again') return openResend(ctx, incidentId, interaction);
  if (!hasForm(name)) return reply.show(await actionMessage(ctx, { ...target, channel }, [{ what: name }], userId));
  const form = FORMS[name];
  await inModal(ctx, interaction, form.title, async () => {
    const incident = await incidentNumbered(ctx.db, incidentId, ctx.now());
    const kept = { act: name, target: writeActionTarget(target), channel, answerAt: interaction.answerAt };
    return formView({
      callbackId: FORM,
      submit: form.title,
      ...form,
      kept,
      blocks: [
        section(joined([incidentHeading(incident, ctx.environments), factsLine(incident, false)], '\n')),
        ...form.blocks(incident, userId),
      ],
    });
  });
}

const FORM = 'incident.form';
const Kept = z.object({
  act: z.string(),
  target: z.string(),
  channel: z.string().nullable(),
  answerAt: AnswerAt.nullable(),
});

function submitted(ctx: SlackCtx, view: FilledView): Submitted {
  const { act, channel, answerAt, ...kept } = keptIn(Kept, view);
  const chosen = parseAct(act, kept.target);
  if (chosen === null || !hasForm(chosen.act)) throw new OldButtonError();
  const { field, errors } = readForm(view);
  const action = field(FIELD, FORMS[chosen.act].action, null);
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
      await reply.show(await actionMessage(ctx, { ...chosen.target, channel }, [action], userId).catch(failed));
    },
  };
}

async function refuseUnassignable(ctx: SlackCtx, userId: string): Promise<void> {
  if (await ctx.accessControl.canUse(userId, 'members')) return;
  throw new InputError('assigned', 'Only members with an active account can be assigned.');
}

function commands(ctx: SlackCtx): Command[] {
  const common = { for: 'members', filters: [], usage: '<incident …>', examples: ['#17', '#17 #18'] } as const;
  const verb = (word: string, what: 'acknowledged' | 'reopened', about: string): Command => ({
    ...{ ...common, word, about },
    answer: ({ words }, interaction) => runVerbs(ctx, incidentNumbersIn(words, word), { what }, interaction),
  });
  const following = (word: string, action: 'followed' | 'unfollowed', about: string): Command => ({
    ...{ ...common, word, about },
    answer: async ({ words }, { userId, channelId: channel, reply }) => {
      const lines: Markup[] = [];
      for (const incidentId of incidentNumbersIn(words, word)) {
        const { id } = await incidentNumbered(ctx.db, incidentId, ctx.now());
        const isNew = await follow(ctx, { incidentId, channel }, action, userId);
        const [does, already] = action === 'followed' ? ['Following', 'already'] : ['No longer following', 'not'];
        lines.push(
          isNew ? mrkdwn`👣 ${does} ${numberOf(id)}.` : mrkdwn`You were ${already} following ${numberOf(id)}.`,
        );
      }
      await reply.show(sentence(joined(lines, '\n')));
    },
  });
  return [
    verb('ack', 'acknowledged', 'acknowledge an incident: it stops mentioning people'),
    {
      ...common,
      word: 'resolve',
      usage: '<incident> [why]',
      about: 'resolve an incident, with a note why; what fails of it afterwards is a relapse',
      examples: ['#17', '#17 key is back'],
      follows: 'text',
      answer: async ({ text }, interaction) => {
        const [number, why] = numberAndText(text);
        const incidentId = incidentNumberIn(number, 'resolve');
        const noted = why === '' ? [] : [noteAction(why)];
        await runVerb(ctx, incidentId, [...noted, { what: 'resolved' }], interaction);
      },
    },
    {
      ...common,
      word: 'assign',
      usage: '<incident …> [@person]',
      about: 'assign incidents to somebody, who gets a direct message; to yourself without a name',
      examples: ['#17', '#17 #18 @ben'],
      answer: async (_line, interaction) => {
        const [, typed = ''] = /^\S+\s*(.*)$/su.exec(interaction.text.trim()) ?? [];
        const [, to = interaction.userId] = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/.exec(typed) ?? [];
        const words = typed
          .replace(/<@[^>]*>|(?<=\s)to(?=\s|$)/g, ' ')
          .split(/\s+/)
          .filter((word) => word !== '');
        const numbers = incidentNumbersIn(words, 'assign');
        await refuseUnassignable(ctx, to);
        await runVerbs(ctx, numbers, { what: 'assigned', to }, interaction);
      },
    },
    following('follow', 'followed', 'get a direct message when incidents end or come back'),
    following('unfollow', 'unfollowed', 'get no more direct messages about incidents that you follow'),
    verb('reopen', 'reopened', 'reopen an incident that somebody resolved'),
    {
      ...common,
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, also when the cause comes back',
      examples: [NOTED],
      follows: 'text',
      answer: async (line, interaction) => {
        const [number, text] = numberAndText(line.text);
        const incidentId = incidentNumberIn(number, 'note');
        await runVerb(ctx, incidentId, [noteAction(text, `/notif note ${NOTED}`)], interaction);
      },
    },
  ];
}

function numberAndText(typed: string): [readonly string[], string] {
  const [, number = '', text = ''] = /^(\S*)\s*(.*)$/su.exec(typed.trim()) ?? [];
  return [[number], text];
}

async function runVerbs(
  ctx: SlackCtx,
  incidentIds: readonly number[],
  action: IncidentAction,
  interaction: CommandInteraction,
): Promise<void> {
  const [only, ...others] = incidentIds;
  if (only !== undefined && others.length === 0) return runVerb(ctx, only, [action], interaction);
  const { channelId: channel, userId } = interaction;
  const lines: Markup[] = [];
  for (const incidentId of incidentIds)
    lines.push(
      await outcomeOf(ctx, { messageId: null, incidentId, channel }, action, userId).then(
        ({ words }) => words,
        wordsIfUnknown,
      ),
    );
  await interaction.reply.show(sentence(joined(lines, '\n')));
}

function wordsIfUnknown(error: unknown): Markup {
  if (error instanceof InputError) return mrkdwn`⚠️ ${error.message}`;
  throw error;
}

async function runVerb(
  ctx: SlackCtx,
  incidentId: number,
  actions: readonly Action[],
  { channelId: channel, userId, reply }: CommandInteraction,
): Promise<void> {
  await reply.show(await actionMessage(ctx, { messageId: null, incidentId, channel }, actions, userId));
}

/** Shows the incident, too, if the last action changed nothing. */
async function actionMessage(ctx: SlackCtx, target: ActionTarget, actions: readonly Action[], userId: string) {
  const done: { words: Markup; isChanged: boolean }[] = [];
  for (const action of actions) done.push(await outcomeOf(ctx, target, action, userId));
  const words = joined(
    done.map((line) => line.words),
    '\n',
  );
  return done.at(-1)?.isChanged ? sentence(words) : incidentHere(ctx, target, words);
}

async function outcomeOf(ctx: SlackCtx, target: ActionTarget, action: Action, userId: string) {
  const incident = await incidentNumbered(ctx.db, target.incidentId, ctx.now());
  const changed = await changeIncident(ctx, incident, { ...target, userId }, action);
  const isLate = action.what.endsWith('acknowledged') && incident.state.is === 'resolved';
  const { unchanged } = VERBS[isLate ? 'resolved' : action.what];
  return { words: changed ?? mrkdwn`${numberOf(incident.id)} ${unchanged}.`, isChanged: changed !== null };
}

/** Includes its mute in the watches that the target names. */
async function incidentHere(ctx: SlackCtx, target: ActionTarget, words: Markup | null = null): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, target.incidentId, ctx.now());
  const here = await watchesOf(ctx, target, incident);
  const running = here.map(({ id }) => mutesEndingAfter(ctx.db, id, ctx.now()));
  const mute = (await Promise.all(running)).flat().find(({ incidentId }) => incidentId === incident.id) ?? null;
  return incidentMessage(ctx, { ...incident, mute }, target.messageId, words);
}

/** Null if it changed nothing. */
async function changeIncident(
  ctx: SlackCtx,
  incident: IncidentNow,
  { userId, ...target }: ActionTarget & { userId: string },
  action: Action,
): Promise<Markup | null> {
  const { incidentId } = target;
  const name = mrkdwn`${numberOf(incidentId)} ${subjectText(incident, true)}`;
  const { did, effect = null } = VERBS[action.what];
  if (action.what === 'muted') {
    const watches = await watchesOf(ctx, target, incident);
    const muted = await muteIn(ctx, { watches, incidentId }, action.end, userId);
    if (muted.watches.length === 0) return null;
    const sooner = code(`/notif unmute #${incidentId}`);
    return mrkdwn`${did} ${name} in ${mutedWords(muted)}. You'll get what you missed then. To end it sooner: ${sooner}.`;
  }
  if (action.what === 'unmuted') {
    const unmuted = await unmuteIn(ctx, { watches: await watchesOf(ctx, target, incident), incidentId }, userId);
    if (unmuted.length === 0) return null;
    return mrkdwn`${did} ${name} in ${watchNumbers(unmuted)}. You'll get what you missed.`;
  }
  if ((await act(ctx, target, action, userId)) !== 'done') return null;
  if (action.what === 'noted') return mrkdwn`📝 Note added to ${name}: ${noteWords(action)}.`;
  const to = action.what === 'assigned' ? mrkdwn` to ${person(action.to)}` : '';
  return joined([mrkdwn`${did} ${name}${to}.`, effect], ' ');
}

async function watchesOf({ db }: SlackCtx, { messageId, channel }: ActionTarget, { environment }: IncidentNow) {
  if (messageId !== null) return [await watchOfMessage(db, messageId)].filter((watch) => watch !== null);
  const here = channel == null ? [] : await watches(db, channel);
  return here.filter(({ settings }) => isAbout(settings.filter, environment));
}
