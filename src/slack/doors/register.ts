import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { resultView } from '../blocks/view.ts';
import { cardFor, logStray } from '../on-error.ts';
import { type AnsweringParts, answering } from './answering.ts';
import { type Answer, type Door, OldButtonError, type Submitted } from './door.ts';
import type { Gesture } from './gesture.ts';
import { OptionsBody, SubmissionBody } from './payload.ts';
import { actionGesture, commandGesture, shortcutGesture, submissionGesture } from './read-gesture.ts';

/**
 * Lets Bolt in by the doors of the table: one listener for each surface, which looks the door up. What is not in the table is
 * answered in words too, and nothing is answered twice, though Bolt calls every listener that matches. A body that can't be read
 * is nobody's to answer: it goes into the log.
 */
export function registerDoors(app: App, doors: readonly Door[], parts: AnsweringParts): void {
  const table = new Map(doors.map((door) => [keyOf(door), door]));
  app.command(/.*/, async ({ ack, body, client }) => {
    await ack();
    const door = table.get(`command ${body.command}`);
    await answering(commandGesture(body, client), door?.surface === 'command' ? door.answer : unknown, parts);
  });
  app.shortcut(/.*/, async ({ ack, body, client }) => {
    await ack();
    const door = table.get(`shortcut ${body.callback_id}`);
    await answering(shortcutGesture(body, client), door?.surface === 'shortcut' ? door.answer : unknown, parts);
  });
  app.action(/.*/, async ({ ack, action, body, client }) => {
    await ack();
    const door = table.get(`action ${'action_id' in action ? action.action_id : ''}`);
    await answering(actionGesture(body, client), door?.surface === 'action' ? door.answer : unknown, parts);
  });
  app.options(/.*/, async ({ ack, body }) => {
    const door = table.get(`options ${'action_id' in body ? body.action_id : ''}`);
    await ack({ options: [...(await optionsFor(door, body, parts))] });
  });
  app.view(/.*/, async ({ ack, body, client }) => {
    const submitted = take(table.get(`view ${body.view.callback_id}`), body, parts);
    await ack(acknowledgement(submitted));
    if (submitted.is === 'refused') return;
    await answering(submissionGesture(body, submitted.next !== null, client), submitted.answer, parts);
  });
  app.error((error) => logStray(error, parts));
}

/** What tells doors apart: their surface with the name that Slack knows them by. */
export function keyOf(door: Door): string {
  switch (door.surface) {
    case 'command':
      return `command ${door.name}`;
    case 'shortcut':
    case 'view':
      return `${door.surface} ${door.callbackId}`;
    case 'action':
    case 'options':
      return `${door.surface} ${door.id}`;
  }
}

const unknown: Answer<Gesture> = async () => {
  throw new OldButtonError();
};

/** Slack waits three seconds for options, and shows none where it gets none. */
async function optionsFor(door: Door | undefined, body: unknown, { logger }: AnsweringParts) {
  if (door?.surface !== 'options') return [];
  try {
    const { value, block_id: blockId } = OptionsBody.parse(body);
    return await door.answer({ typed: value, blockId });
  } catch (error) {
    logger.error({ err: error, door: door.id }, 'options could not be read');
    return [];
  }
}

/** What a submission comes to, decided from the form alone. What goes wrong is shown in the modal. */
function take(door: Door | undefined, body: unknown, parts: AnsweringParts): Submitted {
  try {
    if (door?.surface !== 'view') throw new OldButtonError();
    return door.take(SubmissionBody.parse(body).view);
  } catch (error) {
    return { is: 'taken', next: resultView(cardFor(error, parts)), answer: async () => {} };
  }
}

type ViewAcknowledgement =
  | undefined
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
  | { readonly response_action: 'update'; readonly view: ModalView };

function acknowledgement(submitted: Submitted): ViewAcknowledgement {
  if (submitted.is === 'refused') return { response_action: 'errors', errors: { ...submitted.errors } };
  return submitted.next === null ? undefined : { response_action: 'update', view: submitted.next };
}
