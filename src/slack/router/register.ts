import type { App, BlockSuggestion, ViewSubmitAction } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import PQueue from 'p-queue';
import { ZodError } from 'zod';
import type { Access } from '../../lib/workspace.ts';
import type { SlackCtx } from '../ctx.ts';
import { cardFor, type ErrorCtx } from '../kit/error-card.ts';
import type { FilledView, Handler, Requester, Submitted } from '../kit/interaction.ts';
import type { Outgoing } from '../kit/reply.ts';
import { isOfAnotherStore, marked, OtherStoreError } from '../kit/store-mark.ts';
import { resultView } from '../kit/views.ts';
import * as interactions from './interactions.ts';
import { OldButtonError, type Route } from './route.ts';

/** Requests of one person that run at the same time; others wait. */
export const MOST_AT_ONCE = 8;

type RequestLimits = (userId: string, work: () => Promise<void>) => Promise<void>;

type RouteOf<Surface extends Route['surface']> = Extract<Route, { surface: Surface }>;

type RoutesCtx = ErrorCtx & Outgoing & Pick<SlackCtx, 'accessControl' | 'strangers' | 'noteChannelId'>;
type AnsweringCtx = RoutesCtx & { limited: RequestLimits };

/** What answers an interaction, for whom. */
interface Work<I> {
  for: Access;
  answer: Handler<I>;
  /** Says that the person doesn't have the access; without it, a card does. */
  denied?: ((error: unknown, interaction: I) => Promise<void>) | undefined;
}

const UNKNOWN: Work<Requester> = { for: 'everyone', answer: () => Promise.reject(new OldButtonError()) };
const FOREIGN: Work<Requester> = { for: 'everyone', answer: () => Promise.reject(new OtherStoreError()) };

/** A surface has one listener, since Bolt calls each that matches. */
export function registerRoutes(routesCtx: RoutesCtx, app: App, routes: readonly Route[]): void {
  const ctx = { ...routesCtx, limited: createRequestLimits() };
  const find = <S extends Route['surface']>(surface: S, id: unknown) =>
    routes.find((route): route is RouteOf<S> => route.surface === surface && route.id === id);

  app.command(/.*/, async ({ ack, body }) => {
    await ack();
    await answering(ctx, interactions.commandInteraction(body, ctx), find('command', body.command));
  });
  app.shortcut(/.*/, async ({ ack, body }) => {
    await ack();
    await answering(ctx, interactions.shortcutInteraction(body, ctx), find('shortcut', body.callback_id));
  });
  app.action<interactions.Click>(/.*/, async ({ ack, action, body }) => {
    await ack();
    const { action_id: id } = action;
    const isForeign = noteIfForeign(ctx, id);
    const work = isForeign ? FOREIGN : find('action', nameOf(id));
    await answering(ctx, interactions.actionInteraction(body, ctx), work);
  });
  app.options(/.*/, async ({ ack, body }) => {
    const { action_id: id } = body;
    const isForeign = noteIfForeign(ctx, id);
    const route = isForeign ? undefined : find('options', nameOf(id));
    const options = route === undefined ? [] : await optionsFor(ctx, route, body);
    await ack({ options: [...options] });
  });
  app.view<ViewSubmitAction>({ callback_id: /.*/, type: 'view_submission' }, async ({ ack, body }) => {
    const { callback_id: id } = body.view;
    const route = find('view', nameOf(id));
    const view = interactions.filledView(body.view);
    const isForeign = noteIfForeign(ctx, id);
    const submitted = isForeign ? submittedToAnother(ctx, view) : submittedTo(route, view, ctx);
    if (submitted.is === 'invalid') return ack({ response_action: 'errors', errors: submitted.errors });
    const { next } = submitted;
    await (next === null ? ack() : ack({ response_action: 'update', view: marked(next, ctx.storeCode) }));
    const interaction = interactions.submissionInteraction(body, submitted, ctx);
    await answering(ctx, interaction, { ...submitted, for: route?.for ?? 'everyone' });
  });

  const hear = async (id: 'app_mention' | 'message.im', event: unknown, botUserId: string | undefined) => {
    const interaction = interactions.messageInteraction(event, id, botUserId, ctx);
    if (interaction !== null) await answering(ctx, interaction, find('message', id));
  };
  app.event('app_mention', ({ event, context }) => hear('app_mention', event, context.botUserId));
  app.event('message', async ({ event, context }) => {
    if (event.channel_type === 'im') await hear('message.im', event, context.botUserId);
  });
  app.event('app_home_opened', async ({ event }) => {
    const interaction = interactions.homeInteraction(event.user, ctx);
    if (event.tab === 'home') await answering(ctx, interaction, find('home', 'app_home_opened'));
  });
  app.event('channel_id_changed', ({ event }) => ctx.noteChannelId(event.old_channel_id, event.new_channel_id));
  app.error(async (err) => ctx.logger.error({ err }, "What Slack sent couldn't be handled"));
}

/** The ID of the route: without what follows a colon, such as the store's mark. */
const nameOf = (id: string): string | undefined => id.split(':')[0];

/** Logs a control that is another store's, and looks for that store. Returns whether it is one. */
function noteIfForeign({ logger, strangers, storeCode }: AnsweringCtx, id: string): boolean {
  if (!isOfAnotherStore(id, storeCode)) return false;
  logger.warn({ control: nameOf(id) }, 'A control of another store was refused');
  strangers.suspect();
  return true;
}

async function optionsFor(
  { accessControl, logger }: AnsweringCtx,
  route: RouteOf<'options'>,
  body: BlockSuggestion,
): Promise<readonly PlainTextOption[]> {
  try {
    await accessControl.authorize(body.user.id, route.for);
    return await route.answer({ typed: body.value, blockId: body.block_id });
  } catch (err) {
    logger.error({ err, route: route.id }, "Options couldn't be read");
    return [];
  }
}

/** A form whose metadata can't be parsed was opened by another version. */
function submittedTo(route: RouteOf<'view'> | undefined, view: FilledView, ctx: AnsweringCtx): Submitted {
  try {
    if (route === undefined) throw new OldButtonError();
    return route.take(view);
  } catch (error) {
    const isOld = error instanceof SyntaxError || error instanceof ZodError;
    return answeredByCard(ctx, isOld ? new OldButtonError() : error);
  }
}

/** The form stays open with what was typed: submitted again, it may reach its own store. */
function submittedToAnother(ctx: AnsweringCtx, { blockIds: [field] }: FilledView): Submitted {
  const error = new OtherStoreError();
  if (field === undefined) return answeredByCard(ctx, error);
  return { is: 'invalid', errors: { [field]: `${error.message} ${error.next}` } };
}

function answeredByCard(ctx: AnsweringCtx, error: unknown): Submitted {
  return { is: 'accepted', next: resultView(cardFor(ctx, error)), answer: async () => {}, denied: async () => {} };
}

/** Authorizes, answers, and shows in the reply what goes wrong. */
async function answering<I extends Requester>(
  ctx: AnsweringCtx,
  interaction: I,
  work: Work<I> = UNKNOWN,
): Promise<void> {
  const { for: access, answer, denied = (error) => Promise.reject(error) } = work;
  const { reply, userId } = interaction;
  await reply.during(async () => {
    try {
      await ctx.limited(userId, () =>
        ctx.accessControl.authorize(userId, access).then(
          () => answer(interaction),
          (error: unknown) => denied(error, interaction),
        ),
      );
    } catch (error) {
      await reply.show(cardFor(ctx, error)).catch((refusal: unknown) => {
        ctx.logger.error({ err: refusal, answerTo: error }, "An error couldn't be shown to a person");
      });
    }
  });
}

/** Limits each person, since all share the service's and Slack's rate limits. */
export function createRequestLimits(): RequestLimits {
  const queues = new Map<string, PQueue>();
  return async (userId: string, work: () => Promise<void>) => {
    const queue = queues.get(userId) ?? new PQueue({ concurrency: MOST_AT_ONCE });
    queues.set(userId, queue);
    await queue.add(work);
    if (queue.size + queue.pending === 0) queues.delete(userId);
  };
}
