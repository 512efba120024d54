import { createContext, useContext } from 'react';
import type { PageAct, PageActAnswer, Snapshot } from '../page-protocol.ts';

/** What the person sees, and their hands. `send` shows a refusal to the person and gives it back too. */
export interface Workspace {
  readonly snapshot: Snapshot;
  readonly send: (act: PageAct) => Promise<PageActAnswer>;
  /** A text that waits to be put where messages are typed, or null. */
  readonly proposal: string | null;
  readonly propose: (text: string | null) => void;
  /** The message of the open conversation whose thread stands beside it, by its ts; null where none does. */
  readonly thread: string | null;
  readonly openThread: (ts: string) => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace around this component; an error outside of one is a mistake in the page. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This part of the page stands outside of the workspace.');
  return workspace;
}
