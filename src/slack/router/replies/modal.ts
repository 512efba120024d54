import type { ModalView } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { MessageContent } from '../../kit/blocks.ts';
import { MOST_VIEW_BLOCKS } from '../../kit/limits.ts';
import { sendable } from '../../kit/sendable.ts';
import { resultView } from '../../kit/view.ts';
import type { Modal } from '../interaction.ts';
import { directReply } from './conversation.ts';
import { type Outgoing, orElse, type Reply, STILL_WORKING } from './reply.ts';

/** `isLatest`: whether the person has done nothing else in it since. */
interface Drawn {
  readonly hash: string | undefined;
  readonly isLatest: () => boolean;
}

/**
 * Updates replace the view in which the interaction happened. If the modal shows something else by now, only the latest
 * interaction updates it; others are dropped silently (`hash_conflict` on Slack's page of `views.update`).
 */
export function modalAt(viewId: string, client: WebClient, drawn?: Drawn): Modal {
  let hash = drawn?.hash;
  const draw = async (view: ModalView, upon: string | undefined) => {
    const { outcome, hash: next } = await updateModal(viewId, view, upon, client);
    if (outcome === 'shown' && hash !== undefined) hash = next;
    return outcome;
  };
  return {
    update: async (view) => {
      const fitted = sendable(view);
      const outcome = await draw(fitted, hash);
      if (outcome !== 'changed') return outcome;
      const again = drawn?.isLatest() === true ? await draw(fitted, undefined) : 'shown';
      return again === 'closed' ? 'closed' : 'shown';
    },
  };
}

/** Returns its ID. `push` opens it on top of the one that was clicked in. Rejects with Slack's errors. */
export async function openView(
  how: 'open' | 'push',
  triggerId: string,
  view: ModalView,
  { views }: WebClient,
): Promise<string> {
  const request = { trigger_id: triggerId, view };
  const opened = how === 'open' ? await views.open(request) : await views.push(request);
  if (opened.view?.id === undefined) throw new Error('the answer to views.open names no view');
  return opened.view.id;
}

/** Slack returns `not_found` for a closed one. Rejects with its other errors. */
async function updateModal(
  viewId: string,
  view: ModalView,
  hash: string | undefined,
  client: WebClient,
): Promise<{ readonly outcome: 'shown' | 'closed' | 'changed'; readonly hash?: string | undefined }> {
  try {
    const shown = await client.views.update({ view_id: viewId, view, ...(hash === undefined ? {} : { hash }) });
    return { outcome: 'shown', hash: shown.view?.hash };
  } catch (error) {
    const code = error instanceof WebAPIPlatformError ? error.data.error : null;
    if (code === 'not_found') return { outcome: 'closed' };
    if (code === 'hash_conflict') return { outcome: 'changed' };
    throw error;
  }
}

const MOST_VIEWS = 1_000;

/** For the last thousand modals. */
export function createTurns(): Outgoing['turnIn'] {
  const last = new Map<string, symbol>();
  return (viewId) => {
    const turn = Symbol(viewId);
    last.delete(viewId);
    last.set(viewId, turn);
    const [oldest] = last.keys();
    if (last.size > MOST_VIEWS && oldest !== undefined) last.delete(oldest);
    return () => last.get(viewId) === turn;
  };
}

interface AnsweredModal {
  readonly viewId: string;
  readonly hash?: string | undefined;
  /** What it shows while a person waits. Null for one that already says that it is loading. */
  readonly result: ModalView | null;
}

/** A person who closed it after a click needs no answer; one who submitted it gets it `elsewhere`. */
export function modalReply(
  { viewId, hash, result }: AnsweredModal,
  client: WebClient,
  elsewhere: Pick<Reply, 'show'> | null,
): Reply {
  const stillWorking = async () => {
    if (result === null || result.blocks.length >= MOST_VIEW_BLOCKS) return;
    // With its hash, Slack drops the notice if the answer was faster.
    await updateModal(viewId, { ...result, blocks: [...result.blocks, ...STILL_WORKING.blocks] }, hash, client);
  };
  const show = async (content: MessageContent) => {
    const { outcome } = await updateModal(viewId, resultView(content), undefined, client);
    if (outcome === 'closed') await elsewhere?.show(content);
  };
  return { show, replace: show, stillWorking, share: null };
}

/**
 * Answers a global shortcut, a click on the Home tab and a click in a form in a modal, which leaves the form as it's filled in. The modal
 * opens at the latest when the answer takes longer, within Slack's three seconds. If Slack opens none, for whatever reason, the answer is
 * a direct message.
 */
export function openingReply(
  how: 'open' | 'push',
  { triggerId, userId }: { readonly triggerId: string; readonly userId: string },
  { client, logger }: Outgoing,
): Reply {
  const direct = directReply(userId, client);
  let place: Reply | null = null;
  let waiting: Promise<boolean> = Promise.resolve(false);
  const open = async (view: ModalView): Promise<Reply | null> => {
    try {
      const viewId = await openView(how, triggerId, view, client);
      return orElse(modalReply({ viewId, result: null }, client, null), direct, logger);
    } catch (error) {
      if (!isTooLate(error)) logger.warn({ err: error }, "a modal couldn't be opened; its answer is a direct message");
      return null;
    }
  };
  const show = async (content: MessageContent) => {
    await waiting;
    const modal = place === null ? await open(resultView(content)) : null;
    place ??= modal ?? direct;
    if (place !== modal) await place.show(content);
  };
  const stillWorking = async () => {
    waiting = open(resultView(STILL_WORKING)).then((modal) => {
      place = modal ?? direct;
      return modal !== null;
    });
    await waiting;
  };
  const endWait = async (content: MessageContent) => {
    if (await waiting) await show(content);
  };
  return { show, replace: show, stillWorking, endWait, share: null };
}

/** Slack's error codes for an interaction whose three seconds for opening a modal are over. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id', 'trigger_expired']);

/** Or if the three seconds were used for another modal. */
export function isTooLate(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && TOO_LATE.has(error.data.error);
}
