import { createContext, useContext } from 'react';
import type { PageAct, PageActAnswer, Snapshot } from '../page-protocol.ts';

/** What the person sees and can do. `send` shows a refusal to the person and also returns it. */
export interface Workspace {
  readonly snapshot: Snapshot;
  readonly send: (act: PageAct) => Promise<PageActAnswer>;
  /** A text to put into the composer, or null. */
  readonly proposal: string | null;
  readonly propose: (text: string | null) => void;
  /** The ts of the message whose thread is open beside the conversation; null if none is. */
  readonly thread: string | null;
  readonly openThread: (ts: string) => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** Returns the workspace around this component. Throws outside of one, which is a bug in the page. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This part of the page stands outside of the workspace.');
  return workspace;
}
