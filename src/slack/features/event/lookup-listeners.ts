import type { ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { lookupTargetsIn, MOST_RECOGNISED, type Recognised, recognise } from '../../../lib/input/lookup-target.ts';
import { plainCommand } from '../../../lib/input/slack-text.ts';
import { refuseMasked } from '../../../lookups/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageBlock } from '../../kit/blocks.ts';
import { OPEN_FIND } from '../../kit/buttons.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { environmentInput, type FormErrors, parseEnvironmentInput, textInput } from '../../kit/inputs.ts';
import { mrkdwn } from '../../kit/text.ts';
import { formView, waitingView } from '../../kit/view.ts';
import { foundAnswer, type LookupAnswer } from '../../kit/words/lookup-answer.ts';
import { environmentIn, type Flow, onlyEnvironment } from '../../router/command.ts';
import type {
  CommandInteraction,
  Interaction,
  MessageInteraction,
  SubmissionInteraction,
} from '../../router/interaction.ts';
import { textsIn } from '../../router/message-text.ts';
import type { Lookup } from '../../router/notif-command.ts';
import { cardFor } from '../../router/on-error.ts';
import { type Route, routesFor } from '../../router/route.ts';
import { formOfCommand, nothingToLookFor } from './lookup.ts';

/** A message to Notif without an ID is run as a command. */
export function lookupFlow(ctx: SlackCtx, lookup: Lookup, runCommand: RunCommand, commands: readonly string[]): Flow {
  const written = (interaction: MessageInteraction, seenBy: SeenBy) =>
    answerWritten({ ...ctx, lookup, runCommand, commands }, interaction, seenBy);
  const isCommand = ({ text }: MessageInteraction) =>
    idsToLookUp({ commands, environments: ctx.environments }, text).length === 0;
  const routes = [
    ...routesFor('everyone', [
      {
        surface: 'shortcut',
        callbackId: 'look_up_notification',
        type: 'message',
        answer: async (interaction) => {
          const environment = await environmentIn(ctx, interaction.channelId, undefined);
          const found = await lookup(
            recognise(interaction.messageText, ctx.environments, MOST_RECOGNISED + 1),
            environment,
          );
          await interaction.reply.show((found ?? foundAnswer(nothingToLookFor())).content);
        },
      },
      {
        surface: 'event',
        name: 'app_mention',
        // What people of other organizations would see is shown to the person, with [Share], which asks first.
        answer: async (interaction) => {
          const isForOne = isCommand(interaction) || (await ctx.channels.sharing(interaction.channelId)) !== 'none';
          await (isForOne
            ? written(interaction, 'person')
            : written({ ...interaction, reply: interaction.toEverybody }, 'channel'));
        },
      },
      { surface: 'event', name: 'message.im', answer: (interaction) => written(interaction, 'person') },
    ]),
    ...findRoutes(ctx, lookup),
  ];
  return { commands: [], routes };
}

type SeenBy = 'person' | 'channel';

function findRoutes(ctx: SlackCtx, lookup: Lookup): Route[] {
  const { environments } = ctx;
  const open = async (interaction: Interaction): Promise<void> =>
    void (await interaction.openModal(findView(environments, null)));
  return routesFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    {
      surface: 'view',
      callbackId: FIND,
      take: ({ valueIn }) => {
        const read = parseFind(valueIn, environments);
        if ('errors' in read) return { is: 'refused', errors: read.errors };
        const next = waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`);
        return { is: 'taken', next, answer: (interaction) => showFound(ctx, lookup, read, interaction) };
      },
    },
  ]);
}

/** If nothing is found or the lookup fails, the form stays filled in, below the reason. */
async function showFound(
  ctx: SlackCtx,
  lookup: Lookup,
  request: FindRequest,
  interaction: SubmissionInteraction,
): Promise<void> {
  const { isFound, content } = await answerFind(ctx, lookup, request);
  if (isFound) return interaction.reply.show(content);
  await interaction.modal.update(findView(ctx.environments, { request, above: content.blocks }));
}

async function answerFind(ctx: SlackCtx, lookup: Lookup, { found, environment }: FindRequest): Promise<LookupAnswer> {
  try {
    const answer = await lookup(found, environment);
    return answer ?? { isFound: false, content: nothingToLookFor() };
  } catch (error) {
    return { isFound: false, content: cardFor(ctx, error) };
  }
}

const FIND = 'lookup.find';
const FIND_TITLE = 'Find a notification';
const SOUGHT_BLOCK = 'lookup.find-sought';

/** `environment` is for those that don't name one. */
export interface FindRequest {
  readonly found: readonly Recognised[];
  readonly environment: Environment;
  readonly typed: string;
}

export interface FoundNothingBefore {
  readonly request: FindRequest;
  readonly above: readonly MessageBlock[];
}

/** `before` fills it with the previous request. */
function findView(environments: readonly Environment[], before: FoundNothingBefore | null): ModalView {
  return formView({
    callbackId: FIND,
    title: FIND_TITLE,
    submit: 'Find',
    privateMetadata: '',
    blocks: [
      ...(before === null ? [] : before.above),
      textInput({
        blockId: SOUGHT_BLOCK,
        label: 'What to look for',
        hint: 'The ID of an event, transaction, subscriber or topic, an email address, a link to the dashboard, or a text with several of them',
        isFocused: true,
        ...(before !== null && { initial: before.request.typed }),
      }),
      ...environmentInput(environments, before?.request.environment ?? environments[0], 'waits'),
    ],
  });
}

function parseFind(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): FindRequest | { readonly errors: FormErrors } {
  const typed = valueIn(SOUGHT_BLOCK) ?? '';
  try {
    refuseMasked(typed);
    return {
      typed,
      found: lookupTargetsIn(typed, environments, MOST_RECOGNISED + 1),
      environment: environmentNamed(parseEnvironmentInput(valueIn, environments), environments),
    };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [SOUGHT_BLOCK]: error.message } };
    throw error;
  }
}

/** On behalf of the person who wrote it. */
export type RunCommand = (interaction: CommandInteraction) => Promise<void>;

export interface WrittenCtx extends SlackCtx {
  readonly lookup: Lookup;
  readonly runCommand: RunCommand;
  /** The commands' names. */
  readonly commands: readonly string[];
}

const ENVIRONMENTS = /(?<![^\s,;(])env:\s*["“”'‘’]?([\w,-]{1,200})/gi;

async function answerWritten(ctx: WrittenCtx, interaction: MessageInteraction, seenBy: SeenBy): Promise<void> {
  const { text, channelId, reply, userId } = interaction;
  const ids = idsToLookUp(ctx, text);
  if (ids.length === 0) return runWritten(ctx, interaction);
  const names = [...text.matchAll(ENVIRONMENTS)].flatMap(([, list = '']) =>
    list.split(',').filter((one) => one !== ''),
  );
  const environment = await environmentIn(ctx, channelId, onlyEnvironment(ctx, names));
  const found = await ctx.lookup(ids, environment);
  if (found === null) return;
  await reply.show(seenBy === 'person' ? found.content : forEveryone(found.content, userId));
}

/** None if it begins with a command's word: those take IDs of their own. */
export function idsToLookUp(
  { commands, environments }: Pick<WrittenCtx, 'commands' | 'environments'>,
  text: string,
): readonly Recognised[] {
  const [first = ''] = plainCommand(text, commands).split(/\s+/);
  return commands.includes(first.toLowerCase()) ? [] : recognise(textsIn({ text }), environments, MOST_RECOGNISED + 1);
}

async function runWritten(ctx: WrittenCtx, interaction: MessageInteraction): Promise<void> {
  const { text, reply, userId, channelId, threadTs } = interaction;
  try {
    await ctx.runCommand({ text, reply, userId, channelId, threadTs, answerUrl: null, openModal: refuseModal });
  } catch (error) {
    if (!(error instanceof NoClickError)) throw error;
    await reply.show(formOfCommand(text, ctx.seal));
  }
}

async function refuseModal(): Promise<never> {
  throw new NoClickError();
}

/** A message can't open a form: Slack requires a click or a command. */
class NoClickError extends Error {
  override readonly name = 'NoClickError';

  constructor() {
    super('no form can be opened for a message');
  }
}
