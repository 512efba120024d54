import type { ActionTarget, Noting } from '../../domain/incidents/incident-actions.ts';
import type { Note } from '../../domain/incidents/note.ts';
import type { ActParts } from './act-on-incident.ts';

export interface NotingStore {
  /** Keeps a note with an episode, one that is over too. The messages that show it are to be drawn again. False where the episode is not kept. */
  addNote(subject: ActionTarget, note: Note): Promise<boolean>;
}

/** Writes down what somebody knows about an incident: `text` as `noteOf` leaves it, `by` a Slack user id. */
export async function addNote(
  subject: ActionTarget,
  { text, by }: Pick<Note, 'text' | 'by'>,
  { store, logger, now, wakeDelivery }: ActParts<NotingStore>,
): Promise<Noting> {
  const note = { by, at: now(), text };
  if (!(await store.addNote(subject, note))) return { is: 'forgotten' };
  logger.info({ by, ...subject }, 'note added');
  await wakeDelivery();
  return { is: 'done', note };
}
