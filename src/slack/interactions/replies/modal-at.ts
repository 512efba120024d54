import type { ModalView } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { sendable } from '../../blocks/sendable.ts';
import type { Modal } from '../interaction.ts';
import type { Outgoing } from './outgoing.ts';

/** `isLatest`: whether the person has done nothing else in it since. */
export interface Drawn {
  readonly hash: string | undefined;
  readonly isLatest: () => boolean;
}

/**
 * Updates replace the view in which the interaction happened. If the modal shows something else by now, only the latest
 * interaction updates it; others are dropped silently (`hash_conflict` on Slack's page of `views.update`).
 */
export function modalAt(viewId: string, out: Pick<Outgoing, 'client'>, drawn?: Drawn): Modal {
  let hash = drawn?.hash;
  const draw = async (view: ModalView, upon: string | undefined) => {
    const shown = await updateModal({ viewId, view, hash: upon }, out.client);
    if (shown.is === 'shown' && hash !== undefined) hash = shown.hash;
    return shown.is;
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

/** Undefined if Slack names no view. Rejects with Slack's errors. */
export async function openView(
  how: 'open' | 'push',
  { triggerId, view }: { readonly triggerId: string; readonly view: ModalView },
  { views }: Pick<WebClient, 'views'>,
): Promise<string | undefined> {
  const asked = { trigger_id: triggerId, view };
  const opened = how === 'open' ? await views.open(asked) : await views.push(asked);
  return opened.view?.id;
}

type Updated =
  | { readonly is: 'shown'; readonly hash: string | undefined }
  | { readonly is: 'closed' }
  | { readonly is: 'changed' };

/** Slack returns `not_found` for a closed one. Rejects with its other errors. */
export async function updateModal(
  { viewId, view, hash }: { readonly viewId: string; readonly view: ModalView; readonly hash?: string | undefined },
  client: WebClient,
): Promise<Updated> {
  try {
    const { view: shown } = await client.views.update({
      view_id: viewId,
      view,
      ...(hash === undefined ? {} : { hash }),
    });
    return { is: 'shown', hash: shown?.hash };
  } catch (error) {
    const code = error instanceof WebAPIPlatformError ? error.data.error : null;
    if (code === 'not_found') return { is: 'closed' };
    if (code === 'hash_conflict') return { is: 'changed' };
    throw error;
  }
}

const MOST_VIEWS = 1_000;

/** For the last thousand modals. */
export function createTurns(): (viewId: string) => () => boolean {
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
