import type { SeedPerson } from '../seed.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';

/** Closes a view by its button for a person, and also those above it. */
export function closeView(person: SeedPerson, viewId: string, slack: SlackState): Interaction {
  const modal = ownModal(viewId, person, slack);
  if (modal === undefined) return failed('view_not_found', 'This window is closed already.');
  slack.modals.close(modal);
  return { ok: true, ackMs: 0 };
}

/** Closes the whole stack by its × for a person. */
export function closeAllViews(person: SeedPerson, slack: SlackState): Interaction {
  slack.modals.clear(person.id);
  return { ok: true, ackMs: 0 };
}

/** Returns an open view if it is this person's. */
export function ownModal(viewId: string, person: SeedPerson, slack: SlackState): Modal | undefined {
  const modal = slack.modals.find(viewId);
  return modal?.person === person.id ? modal : undefined;
}
