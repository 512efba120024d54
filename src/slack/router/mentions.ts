import { addDays, fromUnixTime } from 'date-fns';
import type { Environment } from '../../lib/environment.ts';
import { type Recognised, recognise } from '../../lib/input/ids.ts';
import { environmentsIn, plainCommand } from '../../lib/input/slack-text.ts';
import { claimKey } from '../../store/kv.ts';
import type { SlackCtx } from '../ctx.ts';
import { actions, runButton } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import { type MessageContent, sentence } from '../kit/message.ts';
import { code, mrkdwn } from '../kit/text.ts';
import { type Command, environmentIn, type Lookup } from './command.ts';
import type { CommandInteraction, MessageInteraction } from './interaction.ts';
import { textsIn } from './message-text.ts';
import { type Handler, type Route, routesFor } from './route.ts';

export function writtenRoutes(
  ctx: SlackCtx,
  lookup: Lookup,
  runCommand: Handler<CommandInteraction>,
  commands: readonly Command[],
): Route[] {
  const answerWritten = async (interaction: MessageInteraction, isMention: boolean) => {
    const { text, channelId, userId, reply, toEverybody } = interaction;
    if (isMention && !(await isFirst(ctx, interaction))) return;
    const ids = idsToLookUp(text, commands, ctx.environments);
    if (ids.length === 0) return runWritten(runCommand, interaction);
    const environment = await environmentIn(ctx, channelId, { env: environmentsIn(text).names });
    const content = await lookup(ids, environment, reply);
    // [Share] asks first where other organizations read along.
    const isForAll = isMention && !(await ctx.channels.isShared(channelId));
    await (isForAll ? toEverybody.show(forEveryone(content, userId)) : reply.show(content));
  };
  return routesFor('everyone', [
    { surface: 'message', id: 'app_mention', answer: (interaction) => answerWritten(interaction, true) },
    { surface: 'message', id: 'message.im', answer: (interaction) => answerWritten(interaction, false) },
  ]);
}

const KNOWN_DAYS = 30;

/** Slack reports an edit as another mention by the same message. */
async function isFirst(
  { db, now }: Pick<SlackCtx, 'db' | 'now'>,
  { channelId, ts }: MessageInteraction,
): Promise<boolean> {
  const expiresAt = addDays(fromUnixTime(Number(ts)), KNOWN_DAYS);
  return expiresAt > now() && (await claimKey(db, `mention:${channelId}:${ts}`, expiresAt));
}

export function idsToLookUp(
  text: string,
  commands: readonly Pick<Command, 'word' | 'usage'>[],
  environments: readonly Environment[],
): readonly Recognised[] {
  // “Status of txn_8f2c91?” is a question, since `status` takes no ID.
  const taking = commands.filter(({ usage }) => usage !== '').map(({ word }) => word);
  const [first = ''] = plainCommand(text, taking).split(/\s+/);
  return taking.includes(first.toLowerCase()) ? [] : recognise(textsIn({ text }), environments);
}

async function runWritten(runCommand: Handler<CommandInteraction>, interaction: MessageInteraction): Promise<void> {
  const { text, reply, userId, channelId } = interaction;
  const openModal = async () => {
    await reply.show(formOfCommand(text));
    return { update: async () => 'closed' as const };
  };
  await runCommand({ text, reply, userId, channelId, answerAt: null, openModal });
}

export function formOfCommand(command: string): MessageContent {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return sentence(what, actions([runButton('Open form', command)]));
}
