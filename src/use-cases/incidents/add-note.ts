import type { ActionTarget, Noting } from '../../domain/incidents/incident-actions.ts';
import type { Note } from '../../domain/incidents/note.ts';
import type { ActParts } from './act-on-incident.ts';

export interface NotingStore {
  /** Once if a person submits the same note again within a minute. False if the episode isn't kept. */
  addNote(target: ActionTarget, note: Note): Promise<boolean>;
}

export async function addNote(
  target: ActionTarget,
  { text, by }: Pick<Note, 'text' | 'by'>,
  { store, logger, now, wakeDelivery }: ActParts<NotingStore>,
): Promise<Noting> {
  const note = { by, at: now(), text };
  if (!(await store.addNote(target, note))) return { is: 'forgotten' };
  logger.info({ by, ...target }, 'note added');
  await wakeDelivery();
  return { is: 'done', note };
}
