import { viewObject } from '../block-kit/view-object.ts';
import type { SeedPerson } from '../seed.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { tell } from './tell.ts';

const CLOSED: Interaction = { ok: true, ackMs: 0 };

/**
 * Closes a view by its button for a person, and also those above it, or all with `clear_on_close`. The bot gets the event if the view asked
 * for it.
 */
export async function closeView(person: SeedPerson, viewId: string, slack: SlackState): Promise<Interaction> {
  const modal = ownModal(viewId, person, slack);
  if (modal === undefined) return failed('view_not_found', 'This window is closed already.');
  const isCleared = modal.view.clear_on_close === true || slack.modals.stack(person.id).at(-1)?.id !== modal.id;
  if (modal.view.clear_on_close === true) slack.modals.clear(person.id);
  else slack.modals.close(modal);
  return tellOfClosing(person, modal, isCleared, slack);
}

/** Closes the whole stack by its × for a person. The bot gets an event about the lowest view, if that asked for it. */
export async function closeAllViews(person: SeedPerson, slack: SlackState): Promise<Interaction> {
  const stack = slack.modals.stack(person.id);
  const [root] = stack;
  slack.modals.clear(person.id);
  return root === undefined ? CLOSED : tellOfClosing(person, root, stack.length > 1, slack);
}

/** Returns an open view if it is this person's. */
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
