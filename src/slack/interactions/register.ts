import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { resultView } from '../blocks/view.ts';
import { type AnsweringParts, answering, type Work } from './answering.ts';
import { createDrafts, type SubjectOf } from './drafts.ts';
import type { ActionGesture, Gesture, SubmissionGesture } from './interaction.ts';
import { cardFor, logStray } from './on-error.ts';
import {
  actionGesture,
  commandGesture,
  type Hearer,
  homeGesture,
  messageGesture,
  shortcutGesture,
  submissionGesture,
} from './parse-interaction.ts';
import { OptionsBody, SubmissionBody } from './payload.ts';
import { createLongValues, type LongValues } from './replies/long-values.ts';
import { createTurns } from './replies/modal-at.ts';
import type { Outgoing } from './replies/outgoing.ts';
import { type Door, OldButtonError, type Submitted } from './route.ts';

/**
 * Lets Bolt in by the doors of the table: one listener for each surface, which looks the door up. What is not in the table is
 * answered in words too, and nothing is answered twice, though Bolt calls every listener that matches. A body that can't be read
 * is nobody's to answer: it goes into the log.
 */
export function registerDoors(app: App, doors: readonly Door[], parts: AnsweringParts): void {
  const drafts = createDrafts(subjectsIn(doors), parts);
  const table = new Map([...doors, ...drafts.doors].map((door) => [keyOf(door), door]));
  const values = createLongValues(parts);
  const turnIn = createTurns();
  const to = (client: WebClient): Outgoing => ({ client, values, drafts, turnIn });
  app.command(/.*/, async ({ ack, body, client }) => {
    await ack();
    const door = table.get(`command ${body.command}`);
    await answering(commandGesture(body, to(client)), door?.surface === 'command' ? door : UNKNOWN, parts);
  });
  app.shortcut(/.*/, async ({ ack, body, client }) => {
    await ack();
    const door = table.get(`shortcut ${body.callback_id}`);
    await answering(shortcutGesture(body, to(client)), door?.surface === 'shortcut' ? door : UNKNOWN, parts);
  });
  app.action(/.*/, async ({ ack, action, body, client }) => {
    await ack();
    const door = table.get(`action ${'action_id' in action ? action.action_id : ''}`);
    const gesture = actionGesture(body, to(client));
    if (gesture.modal !== null) await drafts.keep(gesture.userId, 'view' in body ? body.view : null);
    await answering(gesture, wholly(door?.surface === 'action' ? door : UNKNOWN, values), parts);
  });
  app.options(/.*/, async ({ ack, body }) => {
    const door = table.get(`options ${'action_id' in body ? body.action_id : ''}`);
    await ack({ options: [...(await optionsFor(door, body, parts))] });
  });
  app.view({ callback_id: /.*/, type: 'view_submission' }, async ({ ack, body, client }) => {
    const door = table.get(`view ${body.view.callback_id}`);
    const sent = await wholeBody(body, values);
    const submitted = take(door, sent, parts);
    const keeping = drafts.keep(body.user.id, sent.view);
    await ack(await fittingAcknowledgement(submitted, values));
    if (submitted.is === 'refused') return;
    const staysOpen = submitted.next !== null;
    // The acknowledgement and what follows it reach Slack by different ways.
    const settled = staysOpen
      ? new Promise<void>((resolve) => setTimeout(resolve, ACKNOWLEDGED_MS))
      : Promise.resolve();
    const gesture = submissionGesture(sent, { staysOpen, settled }, to(client));
    await keeping;
    const { refused } = submitted;
    const answer = async (one: SubmissionGesture) => {
      const { callbackId, privateMetadata } = one.view;
      if ((await submitted.answer(one)) !== 'kept') await drafts.forget(one.userId, { callbackId, privateMetadata });
    };
    await answering(gesture, { for: door?.for ?? 'everyone', answer, refused }, parts);
  });
  app.view({ callback_id: /.*/, type: 'view_closed' }, async ({ ack, body }) => {
    await ack();
    await drafts.keep(body.user.id, body.view);
  });
  registerEvents(app, table, { ...parts, to });
  app.error((error) => logStray(error, parts));
}

/** What Bolt has acknowledged already. Slack tells of more than anybody asked Notif: edits, and what apps write. */
function registerEvents(
  app: App,
  table: ReadonlyMap<string, Door>,
  parts: AnsweringParts & { readonly to: (client: WebClient) => Outgoing },
): void {
  const hear = async (how: 'app_mention' | 'message.im', event: unknown, by: Hearer) => {
    const door = table.get(`event ${how}`);
    const gesture = messageGesture(event, how, by);
    if (gesture === null || door?.surface !== 'event' || door.name === 'app_home_opened') return;
    const { aside } = gesture;
    await answering(door.isForOne(gesture) ? { ...gesture, reply: aside } : gesture, door, parts);
  };
  app.event('app_mention', ({ event, context, client }) =>
    hear('app_mention', event, { botUserId: context.botUserId, out: parts.to(client), logger: parts.logger }),
  );
  app.event('message', async ({ event, context, client }) => {
    if (event.channel_type === 'im')
      await hear('message.im', event, { botUserId: context.botUserId, out: parts.to(client), logger: parts.logger });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const door = table.get('event app_home_opened');
    if (door?.surface !== 'event' || door.name !== 'app_home_opened') return;
    await answering(homeGesture(event, parts.to(client)), door, parts);
  });
}

/** Slack shows what a submission was acknowledged with within this time. */
const ACKNOWLEDGED_MS = 300;

/** What the forms of the table are about, for those of which drafts are kept. */
function subjectsIn(doors: readonly Door[]): SubjectOf {
  const subjects = new Map(doors.map((door) => (door.surface === 'view' ? [door.callbackId, door.draft] : ['', null])));
  return (callbackId) => subjects.get(callbackId) ?? null;
}

/** A button's value and its modal's metadata are what they stand for, where they were too long for Slack. */
function wholly(work: Work<ActionGesture>, values: LongValues): Work<ActionGesture> {
  return {
    ...work,
    answer: async (gesture) => {
      const { modal } = gesture;
      const privateMetadata = modal === null ? '' : await values.whole(modal.privateMetadata);
      const value = await values.whole(gesture.value);
      await work.answer({ ...gesture, value, modal: modal && { ...modal, privateMetadata } });
    },
  };
}

async function wholeBody<Body extends { readonly view: { readonly private_metadata: string } }>(
  body: Body,
  values: LongValues,
): Promise<Body> {
  const privateMetadata = await values.whole(body.view.private_metadata);
  return { ...body, view: { ...body.view, private_metadata: privateMetadata } };
}

/** What tells doors apart: their surface with the name that Slack knows them by. */
function keyOf(door: Door): string {
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
    logger.error({ err: error, door: door.id }, "options couldn't be read");
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

async function fittingAcknowledgement(submitted: Submitted, values: LongValues): Promise<ViewAcknowledgement> {
  if (submitted.is === 'refused') return { response_action: 'errors', errors: { ...submitted.errors } };
  return submitted.next === null ? undefined : { response_action: 'update', view: await values.fitted(submitted.next) };
}
