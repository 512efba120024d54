import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { incidentIn, incidentsIn, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentsInOrder } from '../../../incidents/incidents-now.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { notesOf } from '../../../incidents/notes.ts';
import { openIncidents } from '../../../incidents/open-incidents.ts';
import { InputError } from '../../../lib/errors.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import { section } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import type { CommandInteraction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent, withNote } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { joined, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { onCallWords } from '../../kit/watch-words.ts';
import type { Answers, Flow } from '../../router/command.ts';
import { affectedCommand, affectedRoutes } from './affected.ts';
import { draftCommand } from './draft.ts';
import { resendFlow } from './resend.ts';
import { onCallFor, rowRoutes } from './row-clicks.ts';
import { incidentCard, runVerbs, type Verb } from './run-verb.ts';
import { timelineCommand, timelineRoutes } from './timeline.ts';
import { verbCommands } from './verb-commands.ts';

export interface IncidentsFlow extends Flow {
  /** Serves /notif mute and unmute. */
  changeMutes: (words: readonly string[], verb: Verb, interaction: CommandInteraction) => Promise<MessageContent>;
  incidentAnswer: Answers['incidentAnswer'];
  whichIncident: Answers['whichIncident'];
}

const MOST_NOTES = 5;
const MOST_OFFERED = 10;

export function incidentsFlow(ctx: SlackCtx): IncidentsFlow {
  const resend = resendFlow(ctx);
  return {
    commands: [...verbCommands(ctx), affectedCommand(ctx), draftCommand(ctx), timelineCommand(ctx), ...resend.commands],
    routes: [...rowRoutes(ctx), ...affectedRoutes(ctx), ...timelineRoutes(ctx), ...resend.routes],
    // Only unmute's words aren't parsed yet, so an error's example is of it.
    changeMutes: (words, verb, interaction) => runVerbs(ctx, incidentsIn(words, 'unmute'), [verb], interaction),
    incidentAnswer: (number, { channelId }) => incidentAnswer(ctx, number, channelId),
    whichIncident: (error, interaction) => whichIncident(ctx, error, interaction),
  };
}

async function incidentAnswer(ctx: SlackCtx, number: string, channel: string | null): Promise<MessageContent> {
  // 'ack' is only the command in an error's example.
  const ref = incidentIn([number], 'ack');
  const shown = await incidentCard(ctx, ref, channel);
  // The card itself shows the newest note.
  const [_newest, ...earlier] = await notesOf(ctx.db, ref.incidentId, MOST_NOTES);
  const notes = earlier.map((note) => mrkdwn`📝 ${person(note.actor)}, ${time(note.at)}: ${noteWords(note)}`);
  const onCall = await onCallFor(ctx, await incidentNumbered(ctx.db, ref, ctx.now()));
  return withNote(shown, joined([...notes, onCallWords(onCall)], '\n'));
}

/** Offers incidents for a command that was typed without one. Throws the error again if there is none to offer. */
async function whichIncident(
  ctx: SlackCtx,
  error: unknown,
  { text, inThreadOf = [] }: CommandInteraction,
): Promise<MessageContent> {
  const lacksIncident = error instanceof InputError && error.field === 'incident' && error.example !== null;
  const [, command = '', typed = ''] = /^\s*(\S+)\s*(.*)$/su.exec(text) ?? [];
  // Open incidents are offered, and none of them can be reopened.
  if (!lacksIncident || command === 'reopen') throw error;
  const items = inThreadOf.length > 0 ? await incidentsOfThread(ctx, inThreadOf) : await openNow(ctx);
  if (items.length === 0) throw error;
  // Besides an incident, a note has its text, and `assign` whom it mentions.
  const others = command === 'note' ? [typed] : (typed.match(/<@[^>]+>/g) ?? []);
  const label = capitalized(command === 'ack' ? 'acknowledge' : command);
  const rows = items.map((incident) => {
    const whole = [command, `#${writeIncidentRef(refOf(incident))}`, ...others].join(' ');
    return section(incidentHeading(incident, ctx.environments), runButton(label, whole));
  });
  return asMessage('Which incident?', rows);
}

function incidentsOfThread({ db, now }: SlackCtx, ids: readonly number[]): Promise<readonly IncidentNow[]> {
  return incidentsInOrder(
    db,
    ids.slice(0, MOST_OFFERED).map((id) => ({ id })),
    now(),
  );
}

async function openNow({ db, environments, now }: SlackCtx): Promise<readonly IncidentNow[]> {
  const names = environments.map(({ name }) => name);
  return (await openIncidents(db, names, MOST_OFFERED, now())).items;
}
