import type { ModalView, PlainTextOption } from '@slack/types';
import { addDays, fromUnixTime } from 'date-fns';
import { incidentsOfThread } from '../../alerts/threads.ts';
import type { Environment } from '../../lib/environment.ts';
import { InputError } from '../../lib/errors.ts';
import { recognize } from '../../lib/input/ids.ts';
import { environmentsIn, plainCommand } from '../../lib/input/slack-text.ts';
import { isIncidentNumber, parseIncidentRef } from '../../lib/input/typed-values.ts';
import type { Access, Channels, Workspace } from '../../lib/workspace.ts';
import { claimKey } from '../../store/kv.ts';
import type { SlackCtx } from '../ctx.ts';
import { actions, button, type ListPage, parseRun, RUN, runButton, SHARE_COMMAND } from '../kit/blocks.ts';
import { forEveryone, withNames } from '../kit/for-everyone.ts';
import type { FilledForm, FormErrors } from '../kit/inputs.ts';
import { asMessage, type MessageContent } from '../kit/message.ts';
import { code, mrkdwn } from '../kit/text.ts';
import { type Command, environmentIn, type Lookup } from './command.ts';
import { textsIn } from './interaction.ts';
import type { AnswerAt, Modal } from './places.ts';
import type { Reply } from './reply.ts';

export interface Requester {
  userId: string;
  channelId: string | null;
  reply: Reply;
}

interface MessageInteraction extends Requester {
  channelId: string;
  /** It has Slack's markup, but no mention of Notif. */
  text: string;
  ts: string;
  threadTs: string | null;
  toEverybody: Reply;
}

export interface Interaction extends Requester {
  answerAt: AnswerAt | null;
  /** Works once, within three seconds (Slack). */
  openModal(view: ModalView): Promise<Modal>;
}

export interface CommandInteraction extends Interaction {
  /** A shortcut has its message's text here. */
  text: string;
  page?: ListPage | undefined;
  /** The incidents in whose thread it was written. */
  inThreadOf?: readonly number[];
}

export interface ActionInteraction extends Interaction {
  value: string;
  blockId: string;
  modal: (Modal & FilledView) | null;
}

export interface FilledView extends FilledForm {
  privateMetadata: string;
  initialIn(blockId: string): string | null;
}

/** Replies go where the form was requested, else to direct messages. */
export interface SubmissionInteraction extends Requester {
  modal: Modal;
}

export type Route = Surface & { for: Access };

/** Everything but `options` is acknowledged before `answer`. */
export type Surface =
  | { surface: 'command'; id: string; answer: Handler<CommandInteraction> }
  | { surface: 'shortcut'; id: string; type: 'global' | 'message'; answer: Handler<CommandInteraction> }
  | { surface: 'action'; id: string; answer: Handler<ActionInteraction> }
  | {
      surface: 'options';
      id: string;
      answer: (query: { typed: string; blockId: string }) => Promise<readonly PlainTextOption[]>;
    }
  | { surface: 'view'; id: string; take: (view: FilledView) => Submitted }
  | { surface: 'message'; id: 'app_mention' | 'message.im'; answer: Handler<MessageInteraction> }
  | { surface: 'home'; id: 'app_home_opened'; answer: Handler<Requester> };

export type Handler<I> = (interaction: I) => Promise<void>;

export type Submitted =
  | { is: 'invalid'; errors: FormErrors }
  | {
      is: 'accepted';
      next: ModalView | null;
      answerAt?: AnswerAt | null;
      answer: Handler<SubmissionInteraction>;
      denied?: (error: unknown, interaction: SubmissionInteraction) => Promise<void>;
    };

export function routesFor(access: Access, surfaces: readonly (Surface & { for?: never })[]) {
  return surfaces.map((surface) => ({ ...surface, for: access }));
}

export function actionRoute<Value>(
  id: string,
  read: (value: string, blockId: string) => Value | null,
  answer: (value: Value, interaction: ActionInteraction) => Promise<void>,
): Surface {
  return {
    surface: 'action',
    id,
    answer: async (interaction) => {
      const value = read(interaction.value, interaction.blockId);
      if (value === null) throw new OldButtonError();
      await answer(value, interaction);
    },
  };
}

export function answerRoute<Request>(
  id: string,
  read: (value: string) => Request | null,
  answerTo: (request: Request, interaction: ActionInteraction) => Promise<MessageContent>,
): Surface {
  return actionRoute(id, read, async (value, interaction) =>
    interaction.reply.show(await answerTo(value, interaction)),
  );
}

export class OldButtonError extends InputError {
  constructor() {
    const what = 'This is from an older version of Notif and no longer works.';
    super('button', what, null, 'Ask again: /notif help shows how.');
  }
}

const ANYWAY = `${SHARE_COMMAND}-anyway`;
export const SHARED_WARNING = mrkdwn`🤝 *People from other organizations may be able to read what Notif posts here.*`;

export function notifRoutes(
  { channels, workspace }: { channels: Pick<Channels, 'isShared'>; workspace: Pick<Workspace, 'namesOf'> },
  answer: Handler<CommandInteraction>,
) {
  const sharing = new Set<string>();

  async function share(run: NonNullable<ReturnType<typeof parseRun>>, interaction: ActionInteraction) {
    const { userId, channelId, reply } = interaction;
    if (reply.share === null)
      throw new InputError('share', 'There is no channel here to share to.', null, 'Share it in a channel.');
    const key = `${userId} ${channelId} ${interaction.value}`;
    if (sharing.has(key)) return;
    sharing.add(key);
    const show = async (content: MessageContent) =>
      reply.share?.(await withNames(forEveryone(content, userId), workspace, null));
    await answer({ ...interaction, ...run, reply: { ...reply, show } }).finally(() => sharing.delete(key));
  }

  return routesFor('everyone', [
    { surface: 'command', id: '/notif', answer },
    actionRoute(RUN, parseRun, (run, clicked) => answer({ ...clicked, ...run })),
    actionRoute(SHARE_COMMAND, parseRun, async (run, interaction) => {
      const { reply, channelId, value } = interaction;
      if (reply.share === null || channelId === null || !(await channels.isShared(channelId)))
        return share(run, interaction);
      await reply.show(
        asMessage([SHARED_WARNING, 'Share it anyway?'], actions([button('Share anyway', ANYWAY, value)])),
      );
    }),
    actionRoute(ANYWAY, parseRun, async (run, interaction) => {
      await share(run, interaction);
      await interaction.reply.replace(asMessage('✅ Shared.'));
    }),
  ]);
}

export function messageRoutes(
  ctx: SlackCtx,
  lookup: Lookup,
  runCommand: Handler<CommandInteraction>,
  commands: readonly Command[],
) {
  const answerMessage = async (interaction: MessageInteraction, isMention: boolean) => {
    const { text, channelId, userId, reply, toEverybody } = interaction;
    if (isMention && !(await isFirst(ctx, interaction))) return;
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

const KNOWN_DAYS = 30;

/** Slack reports an edit as another mention by the same message. */
async function isFirst({ db, now }: SlackCtx, { channelId, ts }: MessageInteraction) {
  const expiresAt = addDays(fromUnixTime(Number(ts)), KNOWN_DAYS);
  return expiresAt > now() && (await claimKey(db, `mention:${channelId}:${ts}`, expiresAt));
}

export function idsToLookUp(
  text: string,
  commands: readonly Pick<Command, 'word' | 'usage'>[],
  environments: readonly Environment[],
) {
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
) {
  const { channelId, threadTs, reply } = interaction;
  const inThreadOf = threadTs === null ? [] : await incidentsOfThread(db, channelId, threadTs);
  const text = aboutThread(interaction.text, inThreadOf, commands);
  const openModal = async () => {
    await reply.show(openFormMessage(text));
    return { update: async () => 'closed' as const };
  };
  await runCommand({ ...interaction, text, inThreadOf, answerAt: null, openModal });
}

/** A thread is its incident: a command in it needs no number. */
export function aboutThread(
  text: string,
  [incidentId, ...others]: readonly number[],
  commands: readonly Pick<Command, 'word' | 'usage' | 'follows'>[],
): string {
  const plain = plainCommand(
    text,
    commands.map(({ word }) => word),
  );
  const [, word = '', rest = ''] = /^\s*(\S+)\s*(.*)$/su.exec(plain) ?? [];
  const command = commands.find((known) => known.word === word.toLowerCase());
  if (incidentId === undefined || others.length > 0 || !/^[<[]incident/.test(command?.usage ?? '')) return text;
  const words = rest.split(/\s+/);
  // A number that begins a note is a word of it.
  const isNamed =
    command?.follows === 'text'
      ? isIncidentNumber(words[0] ?? '')
      : words.some((each) => parseIncidentRef(each) !== null);
  return isNamed ? text : `${word} #${incidentId} ${rest}`.trim();
}

export function openFormMessage(command: string) {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return asMessage(what, actions([runButton('Open form', command)]));
}
