import type { EventListRequest } from '../../domain/lookups/event-list.ts';
import { OPEN_FIND } from '../blocks/buttons.ts';
import { ENVIRONMENT, environmentOptions } from '../blocks/inputs.ts';
import { REQUESTER, type Reader } from '../blocks/reader.ts';
import { mrkdwn } from '../blocks/text.ts';
import { waitingView } from '../blocks/view.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import type { Flow } from '../interactions/command.ts';
import { environmentIn } from '../interactions/environment-in.ts';
import type { Interaction, MessageInteraction, SubmissionInteraction } from '../interactions/interaction.ts';
import { cardFor } from '../interactions/on-error.ts';
import { answerRoutes, type Route, routesFor } from '../interactions/route.ts';
import type { SharingParts } from '../interactions/share-route.ts';
import { FIND, FIND_TITLE, type FindRequest, findView, parseFind } from './find-modal.ts';
import { LIST, listMessage, parseList } from './list-message.ts';
import { type Lookup, type LookupParts, listOf } from './lookup.ts';
import { nothingToLookFor } from './message.ts';
import { answerWritten, idsToLookUp, type RunCommand } from './written.ts';

/** A message to Notif without an ID is run as a command. */
export function lookupFlow(
  lookup: Lookup,
  runCommand: RunCommand,
  commands: readonly string[],
  parts: LookupParts & SharingParts,
): Flow {
  const written = (interaction: MessageInteraction, reader: Reader) =>
    answerWritten(interaction, reader, { ...parts, lookup, runCommand, commands });
  const isForOne = ({ text }: MessageInteraction) =>
    idsToLookUp(text, { commands, environments: parts.environments }).length === 0;
  const read = (value: string) => parseList(value, parts.seal);
  const pageOf = async (request: EventListRequest) =>
    listMessage(await listOf(request, parts), { isForAll: false, seal: parts.seal });
  const routes = [
    ...routesFor('everyone', [
      {
        surface: 'shortcut',
        callbackId: 'look_up_notification',
        type: 'message',
        answer: async (interaction) => {
          const environment = await environmentIn(interaction.channelId, undefined, parts);
          const found = await lookup.answer(interaction.messageText, environment, REQUESTER, interaction);
          await interaction.reply.show((found ?? foundAnswer(nothingToLookFor())).content);
        },
      },
      {
        surface: 'event',
        name: 'app_mention',
        // What people of other organizations would see is shown to the person, with [Share], which asks first.
        isForOne: async (interaction) =>
          isForOne(interaction) || (await parts.channels.sharing(interaction.channelId)) !== 'none',
        answer: (interaction) =>
          written(interaction, interaction.isForOne ? REQUESTER : { is: 'channel', sharedBy: interaction.userId }),
      },
      {
        surface: 'event',
        name: 'message.im',
        isForOne,
        answer: (interaction) => written(interaction, REQUESTER),
      },
      ...answerRoutes([LIST], read, pageOf),
    ]),
    ...findRoutes(lookup, parts),
  ];
  return { commands: [], routes };
}

function findRoutes(lookup: Lookup, parts: LookupParts): Route[] {
  const { environments } = parts;
  const open = async (interaction: Interaction): Promise<void> =>
    void (await interaction.openModal(findView(environments, null)));
  return routesFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    { surface: 'options', id: ENVIRONMENT, answer: async ({ typed }) => environmentOptions(environments, typed) },
    {
      surface: 'view',
      callbackId: FIND,
      take: ({ valueIn }) => {
        const read = parseFind(valueIn, environments);
        if ('errors' in read) return { is: 'refused', errors: read.errors };
        const next = waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`);
        return { is: 'taken', next, answer: (interaction) => showFound(lookup, read, interaction, parts) };
      },
    },
  ]);
}

/** If nothing is found or the lookup fails, the form stays filled in, below the reason. */
async function showFound(
  lookup: Lookup,
  asked: FindRequest,
  interaction: SubmissionInteraction,
  parts: LookupParts,
): Promise<void> {
  const { isFound, content } = await answerFind(lookup, asked, interaction, parts);
  if (isFound) return interaction.reply.show(content);
  await interaction.modal.update(findView(parts.environments, { asked, above: content.blocks }));
}

async function answerFind(
  lookup: Lookup,
  { found, environment }: FindRequest,
  interaction: SubmissionInteraction,
  parts: LookupParts,
): Promise<LookupAnswer> {
  try {
    const answer = await lookup.show(found, environment, REQUESTER, interaction);
    return answer ?? { isFound: false, content: nothingToLookFor() };
  } catch (error) {
    return { isFound: false, content: cardFor(error, parts) };
  }
}
