import { viewObject } from '../block-kit/view-object.ts';
import type { SeedPerson } from '../seed.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { tell } from './tell.ts';

const CLOSED: Interaction = { ok: true, ackMs: 0 };

/**
 * A person closes a view by its button, and with it what stands on top, or all of them when it says `clear_on_close`. The bot hears
 * of it when the view asked for it.
 */
export async function closeView(person: SeedPerson, viewId: string, slack: SlackState): Promise<Interaction> {
  const modal = ownModal(viewId, person, slack);
  if (modal === undefined) return failed('view_not_found', 'This window is closed already.');
  const isCleared = modal.view.clear_on_close === true || slack.modals.stack(person.id).at(-1)?.id !== modal.id;
  if (modal.view.clear_on_close === true) slack.modals.clear(person.id);
  else slack.modals.close(modal);
  return tellOfClosing(person, modal, isCleared, slack);
}

/** A person closes the whole stack by its ×. The bot hears of the lowest view, when that asked for it. */
export async function closeAllViews(person: SeedPerson, slack: SlackState): Promise<Interaction> {
  const stack = slack.modals.stack(person.id);
  const [root] = stack;
  slack.modals.clear(person.id);
  return root === undefined ? CLOSED : tellOfClosing(person, root, stack.length > 1, slack);
}

/** An open view, if it is this person's. */
export function ownModal(viewId: string, person: SeedPerson, slack: SlackState): Modal | undefined {
  const modal = slack.modals.find(viewId);
  return modal?.person === person.id ? modal : undefined;
}

async function tellOfClosing(
  person: SeedPerson,
  modal: Modal,
  isCleared: boolean,
  slack: SlackState,
): Promise<Interaction> {
  if (modal.view.notify_on_close !== true) return CLOSED;
  return tell({ ...common('view_closed', person, slack), view: viewObject(modal), is_cleared: isCleared }, slack);
}
