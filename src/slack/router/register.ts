import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { ZodError } from 'zod';
import type { Access } from '../../lib/people.ts';
import { inTime } from '../../lib/time/waiting.ts';
import type { SlackCtx } from '../ctx.ts';
import { sendable } from '../kit/sendable.ts';
import { resultView, withoutNewerKinds } from '../kit/view.ts';
import type { FilledView, Interaction, MessageInteraction, Requester } from './interaction.ts';
import { cardFor, type ErrorCtx, logStray } from './on-error.ts';
import {
  actionInteraction,
  commandInteraction,
  homeInteraction,
  messageInteraction,
  shortcutInteraction,
  submissionInteraction,
} from './parse-interaction.ts';
import { OptionsBody, SubmissionBody } from './payload.ts';
import { createTurns } from './replies/modal.ts';
import type { Outgoing, Reply } from './replies/reply.ts';
import { type Handler, OldButtonError, type Route, type Submitted } from './route.ts';

export type AnsweringCtx = ErrorCtx & Pick<SlackCtx, 'accessControl' | 'sleep'>;

/**
 * One listener for each surface. Unknown interactions get an answer too, and none is answered twice, although Bolt
 * calls every matching listener. A body that can't be parsed is only logged.
 */
export function registerRoutes(ctx: AnsweringCtx, app: App, routes: readonly Route[]): void {
  const table = new Map(routes.map((route) => [keyOf(route), route]));
  const turnIn = createTurns();
  const to = (client: WebClient): Outgoing => ({ client, turnIn, logger: ctx.logger });
  app.command(/.*/, async ({ ack, body, client }) => {
    await ack();
    const route = table.get(`command ${body.command}`);
    await answering(ctx, commandInteraction(body, to(client)), route?.surface === 'command' ? route : UNKNOWN);
  });
  app.shortcut(/.*/, async ({ ack, body, client }) => {
    await ack();
    const route = table.get(`shortcut ${body.callback_id}`);
    await answering(ctx, shortcutInteraction(body, to(client)), route?.surface === 'shortcut' ? route : UNKNOWN);
  });
  app.action(/.*/, async ({ ack, action, body, client }) => {
    await ack();
    const route = table.get(`action ${'action_id' in action ? action.action_id : ''}`);
    await answering(ctx, actionInteraction(body, to(client)), route?.surface === 'action' ? route : UNKNOWN);
  });
  app.options(/.*/, async ({ ack, body }) => {
    const route = table.get(`options ${'action_id' in body ? body.action_id : ''}`);
    await ack({ options: [...(await optionsFor(ctx, route, body))] });
  });
  app.view({ callback_id: /.*/, type: 'view_submission' }, async ({ ack, body, client }) => {
    const route = table.get(`view ${body.view.callback_id}`);
    const submitted = take(ctx, route, body);
    await ack(shownAfter(submitted));
    if (submitted.is === 'refused') return;
    const staysOpen = submitted.next !== null;
    // The acknowledgment and the updates after it reach Slack by different connections.
    const settled = staysOpen ? ctx.sleep(ACKNOWLEDGED_MS) : Promise.resolve();
    const { answer, refused, answerUrl = null } = submitted;
    const interaction = submissionInteraction(body, { staysOpen, settled, answerUrl }, to(client));
    await answering(ctx, interaction, { for: route?.for ?? 'everyone', answer, refused });
  });
  registerEvents({ ...ctx, to }, app, table);
  app.error((error) => logStray(ctx, error));
}

/** Bolt has already acknowledged them. Slack also sends what isn't addressed to Notif: edits, and apps' messages. */
function registerEvents(
  ctx: AnsweringCtx & { readonly to: (client: WebClient) => Outgoing },
  app: App,
  table: ReadonlyMap<string, Route>,
): void {
  const hear = async (
    how: 'app_mention' | 'message.im',
    event: unknown,
    botUserId: string | undefined,
    out: Outgoing,
  ) => {
    const route = table.get(`event ${how}`);
    const interaction = messageInteraction(event, how, botUserId, out);
    if (interaction === null || route?.surface !== 'event' || route.name === 'app_home_opened') return;
    // Nobody else sees an answer before it's known that the person is authorized and that the answer is for everybody.
    const { reply, moveTo } = movableReply(interaction.aside);
    const answer = async (heard: MessageInteraction) => {
      const isForOne = await route.isForOne(heard);
      if (!isForOne) moveTo(interaction.reply);
      await route.answer({ ...heard, isForOne });
    };
    await answering(ctx, { ...interaction, reply }, { for: route.for, answer });
  };
  app.event('app_mention', ({ event, context, client }) =>
    hear('app_mention', event, context.botUserId, ctx.to(client)),
  );
  app.event('message', async ({ event, context, client }) => {
    if (event.channel_type === 'im') await hear('message.im', event, context.botUserId, ctx.to(client));
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const route = table.get('event app_home_opened');
    if (route?.surface !== 'event' || route.name !== 'app_home_opened') return;
    await answering(ctx, homeInteraction(event, ctx.to(client)), route);
  });
}

/** Slack waits three seconds for a form's acknowledgment and for a select's options, and shows an error if there is none. */
const ACKNOWLEDGE_WITHIN_MS = 2_500;

/** How long Slack takes to show a submission's acknowledgment. */
const ACKNOWLEDGED_MS = 300;

function keyOf(route: Route): string {
  switch (route.surface) {
    case 'command':
    case 'event':
      return `${route.surface} ${route.name}`;
    case 'shortcut':
    case 'view':
      return `${route.surface} ${route.callbackId}`;
    case 'action':
    case 'options':
      return `${route.surface} ${route.id}`;
  }
}

const UNKNOWN: Work<Interaction> = {
  for: 'everyone',
  answer: async () => {
    throw new OldButtonError();
  },
};

/** None if they can't be loaded in time. */
async function optionsFor({ accessControl, logger, sleep }: AnsweringCtx, route: Route | undefined, body: unknown) {
  if (route?.surface !== 'options') return [];
  const load = async () => {
    try {
      const { user, value, block_id: blockId } = OptionsBody.parse(body);
      await accessControl.authorize(user.id, route.for);
      return await route.answer({ typed: value, blockId });
    } catch (error) {
      logger.error({ err: error, route: route.id }, "options couldn't be read");
      return [];
    }
  };
  const options = await inTime(load(), { ms: ACKNOWLEDGE_WITHIN_MS, instead: null }, sleep);
  if (options === null) logger.warn({ route: route.id }, "options couldn't be loaded in Slack's three seconds");
  return options ?? [];
}

/** From the form alone. Errors are shown in the modal. */
function take(ctx: AnsweringCtx, route: Route | undefined, body: unknown): Submitted {
  try {
    if (route?.surface !== 'view') throw new OldButtonError();
    const { view } = SubmissionBody.parse(body);
    return takenBy(route, view);
  } catch (error) {
    return { is: 'taken', next: resultView(cardFor(ctx, error)), answer: async () => {} };
  }
}

/** A form's metadata that can't be parsed was written by another version of Notif. */
function takenBy(route: Extract<Route, { surface: 'view' }>, view: FilledView): Submitted {
  try {
    return route.take(view);
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof ZodError ? new OldButtonError() : error;
  }
}

const STILL_WORKING_AFTER_MS = 2_000;

interface Work<I> {
  readonly for: Access;
  readonly answer: Handler<I>;
  /** Instead of a separate card. */
  readonly refused?: ((error: unknown, interaction: I) => Promise<void>) | undefined;
}

/** Never rejects: if not even the error can be shown, it's logged. */
async function answering<I extends Requester>(
  ctx: AnsweringCtx,
  interaction: I,
  { for: access, answer, refused }: Work<I>,
): Promise<void> {
  const answered = new AbortController();
  const notice = sayStillWorking(ctx, interaction, answered.signal);
  try {
    await ctx.accessControl.authorize(interaction.userId, access).then(
      () => answer(interaction),
      (error: unknown) => (refused === undefined ? Promise.reject(error) : refused(error, interaction)),
    );
  } catch (error) {
    await showError(ctx, interaction, error);
  } finally {
    answered.abort();
    await notice;
  }
}

async function sayStillWorking(ctx: AnsweringCtx, { reply }: Requester, answered: AbortSignal): Promise<void> {
  try {
    await ctx.sleep(STILL_WORKING_AFTER_MS, answered);
    if (!answered.aborted) await reply.stillWorking();
  } catch (error) {
    if (!answered.aborted) ctx.logger.warn({ err: error }, "'still working' couldn't be shown to a person");
  }
}

async function showError(ctx: AnsweringCtx, { reply }: Requester, error: unknown): Promise<void> {
  const card = cardFor(ctx, error);
  try {
    await reply.show(card);
  } catch (refusal) {
    ctx.logger.error({ err: refusal, answerTo: error }, "an error couldn't be shown to a person");
  }
}

type ViewAck =
  | undefined
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
  | { readonly response_action: 'update'; readonly view: ModalView };

function shownAfter(submitted: Submitted): ViewAck {
  if (submitted.is === 'refused') return { response_action: 'errors', errors: { ...submitted.errors } };
  if (submitted.next === null) return undefined;
  return { response_action: 'update', view: withoutNewerKinds(sendable(submitted.next)) };
}

/** What was shown before a move stays where it is. */
function movableReply(first: Reply): { readonly reply: Reply; readonly moveTo: (next: Reply) => void } {
  let now = first;
  const reply: Reply = {
    show: (content) => now.show(content),
    replace: (content) => now.replace(content),
    stillWorking: () => now.stillWorking(),
    get endWait() {
      return now.endWait;
    },
    get share() {
      return now.share;
    },
  };
  return {
    reply,
    moveTo: (next) => {
      now = next;
    },
  };
}
