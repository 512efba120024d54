import type { EventListRequest } from '../../domain/lookups/event-list.ts';
import { OPEN_FIND } from '../blocks/buttons/open-buttons.ts';
import { mrkdwn } from '../blocks/text.ts';
import { waitingView } from '../blocks/view.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import { environmentIn } from '../interactions/environment-in.ts';
import type { Gesture, MessageGesture, SubmissionGesture } from '../interactions/interaction.ts';
import { cardFor } from '../interactions/on-error.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { FIND, FIND_TITLE, type FindRequest, findView, readFind } from './find-modal.ts';
import { BACK, LIST, listMessage, ON, readList } from './list-message.ts';
import { type Audience, type Lookup, type LookupParts, listOf } from './lookup.ts';
import { nothingToLookFor } from './message.ts';
import { answerWritten, isCommandIn, type RunCommand } from './written.ts';

/**
 * Looking things up by a form, in a message, by a mention and in a direct message; and the pages of somebody's events. What is written as a command runs as
 * one: `words` are those that commands begin with.
 */
export function lookupDoors(
  lookup: Lookup,
  runCommand: RunCommand,
  words: readonly string[],
  parts: LookupParts,
): Door[] {
  const written = (gesture: MessageGesture, audience: Audience) =>
    answerWritten(gesture, audience, { ...parts, lookup, runCommand, words });
  const isForOne = (gesture: MessageGesture) => isCommandIn(gesture, words, parts.environments);
  const read = (value: string) => readList(value, parts.seal);
  const turn = async (request: EventListRequest) =>
    listMessage(await listOf(request, parts), { isForAll: false, seal: parts.seal });
  return [
    ...doorsFor('everyone', [
      {
        surface: 'shortcut',
        callbackId: 'look_up_notification',
        type: 'message',
        answer: async (gesture) => {
          const environment = await environmentIn(gesture.channelId, undefined, parts);
          const found = await lookup.answer(gesture.messageText, environment, { is: 'person' }, gesture);
          await gesture.reply.show((found ?? foundAnswer(nothingToLookFor())).content);
        },
      },
      {
        surface: 'event',
        name: 'app_mention',
        isForOne,
        answer: (gesture) => written(gesture, { is: 'channel', sharedBy: gesture.userId }),
      },
      { surface: 'event', name: 'message.im', isForOne, answer: (gesture) => written(gesture, { is: 'person' }) },
      actionDoor(LIST, read, async (request, { reply }) => reply.show(await turn(request))),
      actionDoor(BACK, read, async (request, { reply }) => reply.replace(await turn(request))),
      actionDoor(ON, read, async (request, { reply }) => reply.replace(await turn(request))),
    ]),
    ...findDoors(lookup, parts),
  ];
}

function findDoors(lookup: Lookup, parts: LookupParts): Door[] {
  const { environments } = parts;
  const open = async (gesture: Gesture): Promise<void> => void (await gesture.openModal(findView(environments, null)));
  return doorsFor('everyone', [
    { surface: 'shortcut', callbackId: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    {
      surface: 'view',
      callbackId: FIND,
      draft: () => '',
      take: ({ valueIn }) => {
        const read = readFind(valueIn, environments);
        if ('errors' in read) return { is: 'refused', errors: read.errors };
        const next = waitingView(FIND_TITLE, mrkdwn`⏳ Looking …`);
        return { is: 'taken', next, answer: (gesture) => showFound(lookup, read, gesture, parts) };
      },
    },
  ]);
}

/** Where nothing is found, or it can't be looked for, the form stays as it was filled in, below the reason. */
async function showFound(
  lookup: Lookup,
  asked: FindRequest,
  gesture: SubmissionGesture,
  parts: LookupParts,
): Promise<void> {
  const { isFound, content } = await answerFind(lookup, asked, gesture, parts);
  if (isFound) return gesture.reply.show(content);
  await gesture.modal.update(findView(parts.environments, { asked, above: content.blocks }));
}

async function answerFind(
  lookup: Lookup,
  { found, environment }: FindRequest,
  gesture: SubmissionGesture,
  parts: LookupParts,
): Promise<LookupAnswer> {
  try {
    const answer = await lookup.show(found, environment, { is: 'person' }, gesture);
    return answer ?? { isFound: false, content: nothingToLookFor() };
  } catch (error) {
    return { isFound: false, content: cardFor(error, parts) };
  }
}
