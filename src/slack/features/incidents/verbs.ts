import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type ActionTarget, act, type Deed } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import { InputError } from '../../../lib/errors.ts';
import { incidentNumberIn, LONGEST_NOTE, noteOf, noteTyped } from '../../../lib/input/typed-values.ts';
import { type MuteEnd, muteIn, parseMuteLength, unmuteIn } from '../../../watches/mutes.ts';
import { isAbout, type Watch } from '../../../watches/settings.ts';
import { watches, watchOfMessage } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import {
  ACT,
  ACT_BUTTON,
  type IncidentAct,
  incidentRow,
  parseAct,
  parseActionTarget,
  writeActionTarget,
} from '../../kit/incident/incident-row.ts';
import {
  environmentName,
  factsLine,
  incidentHeading,
  incidentSentence,
  noteWords,
} from '../../kit/incident/incident-words.ts';
import { muteLengthInput, personInput, textInput } from '../../kit/inputs.ts';
import { code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { formView, resultView } from '../../kit/view.ts';
import { mutedWatches, watchNumbers } from '../../kit/words/muted-watches.ts';
import type { Command } from '../../router/command.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction, CommandInteraction, FilledView } from '../../router/interaction.ts';
import { actionRoute, OldButtonError, routesFor, type Submitted } from '../../router/route.ts';
import { FORGOTTEN, listRoutes, showAffected, showEvents } from './lists.ts';

export function incidentsFlow(ctx: SlackCtx) {
  return {
    commands: [command(ctx, 'ack', ACKNOWLEDGE), command(ctx, 'resolve', RESOLVE), noteCommand(ctx)],
    routes: [
      ...routesFor('everyone', [
        actionRoute(ACT, parseAct, (clicked, interaction) => click(ctx, clicked, interaction)),
        actionRoute(ACT_BUTTON, parseAct, (clicked, interaction) => click(ctx, clicked, interaction)),
      ]),
      ...routesFor('members', [{ surface: 'view', callbackId: FORM, take: (view) => submitted(ctx, view) }]),
      ...listRoutes(ctx),
    ],
    muteNamed: (named: Named & { readonly end: MuteEnd }, channelId: string, interaction: CommandInteraction) =>
      doNamed(ctx, 'mute', named.words, { what: 'muted', end: named.end }, { ...interaction, channelId }),
    unmuteNamed: (named: Named, channelId: string, interaction: CommandInteraction) =>
      doNamed(ctx, 'unmute', named.words, { what: 'unmuted' }, { ...interaction, channelId }),
    showNumbered: async (number: string, { reply }: Pick<CommandInteraction, 'reply'>) =>
      reply.show(rowMessage(await incidentNamed(ctx, 'ack', [number]))),
  };
}

/** As it was typed. */
interface Named {
  readonly words: readonly string[];
}

/** A mute is of an incident in the watch of the message that has its row or, typed, in those of the channel. */
type Verb = Deed | { readonly what: 'muted'; readonly end: MuteEnd } | { readonly what: 'unmuted' };

interface VerbForm {
  readonly title: string;
  readonly submit: string;
  readonly blocks: (incident: IncidentNow, userId: string) => readonly KnownBlock[];
  /** Null: something is missing that a form of this version always has. */
  readonly verb: (typed: string | null) => Verb | { readonly wrong: string } | null;
}

const FIELD = 'incident.field';

const MUTE: VerbForm = {
  title: 'Mute',
  submit: 'Mute',
  blocks: () => [
    muteLengthInput(FIELD, 'Until 09:00, your time'),
    context(mrkdwn`It's muted in this watch only: other watches keep alerting.`),
  ],
  verb: (typed) => {
    const end = parseMuteLength(typed);
    return end && { what: 'muted', end };
  },
};

const ASSIGN: VerbForm = {
  title: 'Assign',
  submit: 'Assign',
  blocks: ({ assigned }, userId) => [
    personInput({ blockId: FIELD, label: 'Assign to' }, assigned?.to ?? userId),
    context(mrkdwn`They get a direct message, and the incident's rows show who has it.`),
  ],
  verb: (to) => (to === null ? null : { what: 'assigned', to }),
};

const NOTE: VerbForm = {
  title: 'Add a note',
  submit: 'Add',
  blocks: () => [
    textInput({
      blockId: FIELD,
      label: 'Note',
      placeholder: 'What it was, and what helped',
      hint: 'Everyone who sees this incident sees the note, with your name, and sees it again when the same cause comes back. Secrets and contacts are masked.',
      longest: LONGEST_NOTE,
      isFocused: true,
    }),
  ],
  verb: (typed) => noted(typed ?? ''),
};

function noted(typed: string): Verb | { readonly wrong: string } {
  const note = noteOf(typed);
  if (note.is === 'text') return { what: 'noted', text: note.text };
  const isEmpty = note.is === 'empty';
  return { wrong: isEmpty ? 'There is no text in this note.' : `A note takes ${LONGEST_NOTE} characters at most.` };
}

const ACKNOWLEDGE = { what: 'acknowledged' } as const;
const RESOLVE = { what: 'resolved' } as const;

/** What a row's menu offers: a verb, the form that asks for the rest of one, or a list. */
const ACTS: { readonly [Act in IncidentAct]: Verb | VerbForm | typeof showEvents } = {
  acknowledge: ACKNOWLEDGE,
  unacknowledge: { what: 'unacknowledged' },
  assign: ASSIGN,
  resolve: RESOLVE,
  mute: MUTE,
  unmute: { what: 'unmuted' },
  note: NOTE,
  events: showEvents,
  affected: showAffected,
};

type Clicked = NonNullable<ReturnType<typeof parseAct>>;

async function click(ctx: SlackCtx, { act: name, target }: Clicked, interaction: ActionInteraction): Promise<void> {
  const chosen = ACTS[name];
  if (typeof chosen === 'function') return chosen(ctx, target, interaction);
  await ctx.accessControl.authorize(interaction.userId, 'members');
  if ('what' in chosen) return interaction.reply.show(await done(ctx, target, chosen, interaction.userId));
  await inModal(ctx, interaction, chosen.title, async () => {
    const incident = await incidentNow(ctx.db, target.incidentId, ctx.now());
    return incident === null
      ? resultView(FORGOTTEN, chosen.title)
      : formOf(chosen, name, incident, target, interaction);
  });
}

const FORM = 'incident.form';
const Metadata = z.object({
  act: z.enum(['mute', 'assign', 'note']),
  target: z.string(),
  answerUrl: z.string().nullable(),
});

function formOf(
  { title, submit, blocks }: VerbForm,
  name: IncidentAct,
  incident: IncidentNow,
  target: ActionTarget,
  { userId, answerUrl }: ActionInteraction,
): ModalView {
  return formView({
    callbackId: FORM,
    ...{ title, submit },
    privateMetadata: JSON.stringify({ act: name, target: writeActionTarget(target), answerUrl }),
    blocks: [section(joined([incidentHeading(incident), factsLine(incident)], '\n')), ...blocks(incident, userId)],
  });
}

function submitted(ctx: SlackCtx, { privateMetadata, valueIn }: FilledView): Submitted {
  const { act: name, answerUrl, ...metadata } = Metadata.parse(JSON.parse(privateMetadata));
  const target = parseActionTarget(metadata.target);
  const verb = { mute: MUTE, assign: ASSIGN, note: NOTE }[name].verb(valueIn(FIELD));
  if (target === null || verb === null) throw new OldButtonError();
  if ('wrong' in verb) return { is: 'refused', errors: { [FIELD]: verb.wrong } };
  return {
    is: 'taken',
    next: null,
    answerUrl,
    answer: async ({ userId, reply }) => reply.show(await done(ctx, target, verb, userId)),
  };
}

function command(ctx: SlackCtx, word: 'ack' | 'resolve', verb: Verb): Command {
  return {
    word,
    usage: '<incident>',
    about:
      word === 'ack'
        ? 'acknowledge an incident: it stops mentioning people'
        : 'resolve an incident; what fails of it afterwards is a relapse',
    examples: ['#17'],
    for: 'members',
    filters: [],
    answer: ({ words }, interaction) => doNamed(ctx, word, words, verb, interaction),
  };
}

function noteCommand(ctx: SlackCtx): Command {
  return {
    word: 'note',
    usage: '<incident> <text>',
    about: 'add a note to an incident: its row shows it, and again when the same cause comes back',
    examples: ['#17 key had been rotated in vault, not here'],
    for: 'members',
    filters: [],
    follows: 'text',
    answer: async ({ words: [typed = ''] }, interaction) => {
      const { incident, text } = noteTyped(typed);
      await incidentNamed(ctx, 'note', incident);
      const verb = noted(text);
      if ('wrong' in verb) throw new InputError('note', verb.wrong, '/notif note #17 key had been rotated in vault');
      await doNamed(ctx, 'note', incident, verb, interaction);
    },
  };
}

async function doNamed(
  ctx: SlackCtx,
  word: string,
  words: readonly string[],
  verb: Verb,
  { channelId: channel, userId, reply }: Pick<CommandInteraction, 'channelId' | 'userId' | 'reply'>,
): Promise<void> {
  const { id: incidentId } = await incidentNamed(ctx, word, words);
  await reply.show(await done(ctx, { messageId: null, incidentId, channel }, verb, userId, true));
}

/** Throws an `InputError` for no number, and for an unknown one. */
async function incidentNamed({ db, now }: SlackCtx, word: string, words: readonly string[]): Promise<IncidentNow> {
  const number = incidentNumberIn(words, word);
  const incident = await incidentNow(db, number, now());
  if (incident !== null) return incident;
  const what = `No incident has the number #${number}, or it is no longer kept.`;
  throw new InputError('incident', what, null, 'The Home tab lists the open ones.');
}

/** What was changed, with the row if it was typed. What was so before shows the row as it is. */
async function done(ctx: SlackCtx, target: ActionTarget, verb: Verb, by: string, isTyped = false) {
  const words = await doneWords(ctx, target, verb, by);
  const incident = await incidentNow(ctx.db, target.incidentId, ctx.now());
  if (incident === null) return FORGOTTEN;
  if (words !== null && !isTyped) return sentence(words);
  return rowMessage(incident, target.messageId, words ?? unchangedWords(verb, incident));
}

/** Null: nothing was changed. */
async function doneWords(ctx: SlackCtx, target: ActionTarget, verb: Verb, by: string): Promise<Markup | null> {
  const { incidentId } = target;
  const number = `#${incidentId}`;
  switch (verb.what) {
    case 'muted': {
      const muted = await muteIn(ctx, { watches: await watchesOf(ctx, target), incidentId }, verb.end, by);
      if (muted.length === 0) return null;
      const sooner = code(`/notif unmute ${number}`);
      return mrkdwn`🔕 Muted ${number} in ${mutedWatches(muted)}. You'll get what you missed then. To end it sooner: ${sooner}.`;
    }
    case 'unmuted': {
      const unmuted = await unmuteIn(ctx, { watches: await watchesOf(ctx, target), incidentId }, by);
      if (unmuted.length === 0) return null;
      return mrkdwn`🔔 Unmuted ${number} in ${watchNumbers(unmuted)}. Missed alerts arrive with the next poll.`;
    }
    default:
      return (await act(ctx, target, verb, by)) === 'done' ? deedWords(verb, number) : null;
  }
}

function deedWords(deed: Deed, number: string): Markup {
  switch (deed.what) {
    case 'acknowledged':
      return mrkdwn`👀 Acknowledged ${number}. Mentions stop.`;
    case 'unacknowledged':
      return mrkdwn`↩️ Unacknowledged ${number}. Its alerts mention people again.`;
    case 'assigned':
      return mrkdwn`🙋 Assigned ${number} to ${person(deed.to)}.`;
    case 'resolved':
      return mrkdwn`✅ Resolved ${number}. If it fails again, that's a relapse.`;
    case 'noted':
      return mrkdwn`📝 Note added: ${noteWords(deed)}. Everyone who sees this incident sees it, and again when the same cause comes back.`;
  }
}

const UNCHANGED: { readonly [What in Verb['what']]: string } = {
  acknowledged: 'is already acknowledged',
  unacknowledged: "isn't acknowledged",
  assigned: 'is already theirs',
  resolved: 'is already resolved',
  noted: 'has this note already',
  muted: 'is in no watch here, so there is nothing to mute',
  unmuted: "isn't muted here",
};

function unchangedWords({ what }: Verb, { id, state }: IncidentNow): Markup {
  return mrkdwn`#${String(id)} ${UNCHANGED[what === 'acknowledged' && state.is === 'resolved' ? 'resolved' : what]}.`;
}

async function watchesOf({ db, now }: SlackCtx, { incidentId, messageId, channel }: ActionTarget): Promise<Watch[]> {
  if (messageId !== null) return [await watchOfMessage(db, messageId)].filter((watch) => watch !== null);
  const incident = await incidentNow(db, incidentId, now());
  const here = channel == null ? [] : await watches(db, channel);
  return here.filter(({ settings }) => incident !== null && isAbout(settings.filter, incident.tally.kind.environment));
}

/** `messageId` names the message whose watch the buttons use. */
function rowMessage(
  incident: IncidentNow,
  messageId: string | null = null,
  words: Markup | null = null,
): MessageContent {
  const beside = environmentName(incident);
  const row = incidentRow(incident, { messageId, beside, cause: null, namesPeople: true, isTerse: false });
  if (words === null) return message(mrkdwn`${incidentSentence(incident, beside)}.`, row);
  return message(words, [section(words), ...row]);
}
