import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { resultView } from '../blocks/view.ts';
import { cardFor, logStray } from '../on-error.ts';
import { type AnsweringParts, answering, type Work } from './answering.ts';
import { type Door, OldButtonError, type Submitted } from './door.ts';
import type { Gesture } from './gesture.ts';
import { OptionsBody, SubmissionBody } from './payload.ts';
import {
  actionGesture,
  commandGesture,
  type Hearer,
  homeGesture,
  messageGesture,
  shortcutGesture,
  submissionGesture,
} from './read-gesture.ts';

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
    await answering(commandGesture(body, client), door?.surface === 'command' ? door : UNKNOWN, parts);
  });
  app.shortcut(/.*/, async ({ ack, body, client }) => {
    await ack();
    const door = table.get(`shortcut ${body.callback_id}`);
    await answering(shortcutGesture(body, client), door?.surface === 'shortcut' ? door : UNKNOWN, parts);
  });
  app.action(/.*/, async ({ ack, action, body, client }) => {
    await ack();
    const door = table.get(`action ${'action_id' in action ? action.action_id : ''}`);
    await answering(actionGesture(body, client), door?.surface === 'action' ? door : UNKNOWN, parts);
  });
  app.options(/.*/, async ({ ack, body }) => {
    const door = table.get(`options ${'action_id' in body ? body.action_id : ''}`);
    await ack({ options: [...(await optionsFor(door, body, parts))] });
  });
  app.view(/.*/, async ({ ack, body, client }) => {
    const door = table.get(`view ${body.view.callback_id}`);
    const submitted = take(door, body, parts);
    await ack(acknowledgement(submitted));
    if (submitted.is === 'refused') return;
    const gesture = submissionGesture(body, submitted.next !== null, client);
    const { answer, refused } = submitted;
    await answering(gesture, { for: door?.for ?? 'everyone', answer, refused }, parts);
  });
  registerEvents(app, table, parts);
  app.error((error) => logStray(error, parts));
}

/** What Bolt has acknowledged already. Slack tells of more than anybody asked Notif: edits, and what apps write. */
function registerEvents(app: App, table: ReadonlyMap<string, Door>, parts: AnsweringParts): void {
  const hear = async (how: 'app_mention' | 'message.im', event: unknown, by: Hearer) => {
    const door = table.get(`event ${how}`);
    const gesture = messageGesture(event, how, by);
    if (gesture === null || door?.surface !== 'event' || door.name === 'app_home_opened') return;
    const { aside } = gesture;
    await answering(door.isForOne(gesture) ? { ...gesture, reply: aside } : gesture, door, parts);
  };
  app.event('app_mention', ({ event, context, client }) =>
    hear('app_mention', event, { botUserId: context.botUserId, client }),
  );
  app.event('message', async ({ event, context, client }) => {
    if (event.channel_type === 'im') await hear('message.im', event, { botUserId: context.botUserId, client });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const door = table.get('event app_home_opened');
    if (door?.surface !== 'event' || door.name !== 'app_home_opened') return;
    await answering(homeGesture(event, client), door, parts);
  });
}

/** What tells doors apart: their surface with the name that Slack knows them by. */
export function keyOf(door: Door): string {
  switch (door.surface) {
    case 'command':
    case 'event':
      return `${door.surface} ${door.name}`;
    case 'shortcut':
    case 'view':
      return `${door.surface} ${door.callbackId}`;
    case 'action':
    case 'options':
      return `${door.surface} ${door.id}`;
  }
}

const UNKNOWN: Work<Gesture> = {
  for: 'everyone',
  answer: async () => {
    throw new OldButtonError();
  },
};

/** Slack waits three seconds for options, and shows none where it gets none. */
async function optionsFor(door: Door | undefined, body: unknown, { admission, logger }: AnsweringParts) {
  if (door?.surface !== 'options') return [];
  try {
    const { user, value, block_id: blockId } = OptionsBody.parse(body);
    await admission.admit(user.id, door.for);
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
