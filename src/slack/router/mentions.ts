import { addDays, fromUnixTime } from 'date-fns';
import { incidentsOfThread } from '../../alerts/thread-incidents.ts';
import { isIncidentNumber, parseIncidentRef } from '../../incidents/incident-ref.ts';
import type { Environment } from '../../lib/environment.ts';
import { type Recognized, recognize } from '../../lib/input/ids.ts';
import { environmentsIn, plainCommand } from '../../lib/input/slack-text.ts';
import { claimKey } from '../../store/kv.ts';
import type { SlackCtx } from '../ctx.ts';
import { actions } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import type { CommandInteraction, Handler, MessageInteraction } from '../kit/interaction.ts';
import { asMessage, type MessageContent } from '../kit/message.ts';
import type { Modal } from '../kit/places.ts';
import { code, mrkdwn } from '../kit/text.ts';
import { type Command, environmentIn, type Lookup } from './command.ts';
import { textsIn } from './message-text.ts';
import { type Route, routesFor } from './route.ts';

/** How long a mention is remembered; an edit of an older one is taken for a repeat. */
const KNOWN_DAYS = 30;

export function messageRoutes(
  ctx: SlackCtx,
  lookup: Lookup,
  runCommand: Handler<CommandInteraction>,
  commands: readonly Command[],
): Route[] {
  const answerMessage = async (interaction: MessageInteraction, isMention: boolean) => {
    const { text, channelId, userId, reply, toEverybody } = interaction;
    if (isMention && !(await claimMention(ctx, interaction))) return;
    const ids = idsToLookUp(text, commands, ctx.environments);
    if (ids.length === 0) return runAsCommand(ctx, runCommand, commands, interaction);
    const environment = await environmentIn(ctx, channelId, { env: environmentsIn(text).names });
    const content = await lookup(ids, environment, reply);
    // [Share] asks first where other organizations read along.
    const isForAll = isMention && !(await ctx.channels.isShared(channelId));
    await (isForAll ? toEverybody.show(forEveryone(content, userId)) : reply.show(content));
  };
  return routesFor('everyone', [
    { surface: 'message', id: 'app_mention', answer: (interaction) => answerMessage(interaction, true) },
    { surface: 'message', id: 'message.im', answer: (interaction) => answerMessage(interaction, false) },
  ]);
}

/** Claims the mention, since Slack reports an edit as another one by the same message. */
async function claimMention({ db, now }: SlackCtx, { channelId, ts }: MessageInteraction): Promise<boolean> {
  const expiresAt = addDays(fromUnixTime(Number(ts)), KNOWN_DAYS);
  return expiresAt > now() && (await claimKey(db, `mention:${channelId}:${ts}`, expiresAt));
}

/** None if the text is a command. */
export function idsToLookUp(
  text: string,
  commands: readonly Pick<Command, 'word' | 'usage'>[],
  environments: readonly Environment[],
): Recognized[] {
  // “Status of txn_8f2c91?” is a question, since `status` takes no ID.
  const takingWords = commands.filter(({ usage }) => usage !== '').map(({ word }) => word);
  const [first = ''] = plainCommand(text, takingWords).split(/\s+/);
  return takingWords.includes(first.toLowerCase()) ? [] : recognize(textsIn({ text }), environments);
}

async function runAsCommand(
  { db }: SlackCtx,
  runCommand: Handler<CommandInteraction>,
  commands: readonly Command[],
  interaction: MessageInteraction,
): Promise<void> {
  const { channelId, threadTs, reply } = interaction;
  const inThreadOf = threadTs === null ? [] : await incidentsOfThread(db, channelId, threadTs);
  const text = aboutThread(interaction.text, inThreadOf, commands);
  const openModal = async (): Promise<Modal> => {
    await reply.show(openFormMessage(text));
    return { update: async () => 'closed' };
  };
  await runCommand({ ...interaction, text, inThreadOf, answerAt: null, openModal });
}

/** The text with the number of the thread's incident, unless it names one, or is no command about incidents. */
export function aboutThread(
  text: string,
  incidentIds: readonly number[],
  commands: readonly Pick<Command, 'word' | 'usage' | 'follows'>[],
): string {
  const [incidentId, ...others] = incidentIds;
  if (incidentId === undefined || others.length > 0) return text;
  const plain = plainCommand(
    text,
    commands.map(({ word }) => word),
  );
  const [, word = '', rest = ''] = /^\s*(\S+)\s*(.*)$/su.exec(plain) ?? [];
  const command = commands.find((known) => known.word === word.toLowerCase());
  // Its usage begins with `<incident …>` or `[incident | …]`.
  const isAboutIncidents = /^[<[]incident/.test(command?.usage ?? '');
  if (command === undefined || !isAboutIncidents) return text;
  const [first = '', ...following] = rest.split(/\s+/);
  // A number that begins a note is a word of it.
  const namesIncident =
    command.follows === 'text'
      ? isIncidentNumber(first)
      : [first, ...following].some((each) => parseIncidentRef(each) !== null);
  return namesIncident ? text : `${word} #${incidentId} ${rest}`.trim();
}

export function openFormMessage(command: string): MessageContent {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return asMessage(what, actions([runButton('Open form', command)]));
}
