import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react';
import { actAnswerSchema, type PageAct, type PageActAnswer, type Snapshot, snapshotSchema } from '../page-protocol.ts';

interface Workspace {
  snapshot: Snapshot;
  send: (act: PageAct) => Promise<PageActAnswer>;
  /** A text that the side panel wants in the composer. */
  proposal: string | null;
  propose: (text: string | null) => void;
  /** The timestamp of the first message of the thread that is open. */
  thread: string | null;
  openThread: (ts: string) => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This part of the page stands outside of the workspace.');
  return workspace;
}

interface WorkspaceStream {
  /** Null until the first one of this person has come. */
  snapshot: Snapshot | null;
  connected: boolean;
}

/** Follows what a person sees. `onUnknown` is called if the server refuses, as it does if nobody has the ID. */
export function useWorkspaceStream(personId: string, onUnknown: () => void): WorkspaceStream {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [connected, setConnected] = useState(true);
  const reportUnknown = useEffectEvent(onUnknown);
  useEffect(() => {
    const source = new EventSource(`/page/stream?as=${encodeURIComponent(personId)}`);
    source.addEventListener('snapshot', ({ data }) => setSnapshot(snapshotSchema.parse(JSON.parse(data))));
    source.addEventListener('open', () => setConnected(true));
    source.addEventListener('error', () => {
      setConnected(false);
      // A refusal ends the stream; a connection that breaks doesn't.
      if (source.readyState === EventSource.CLOSED) reportUnknown();
    });
    return () => source.close();
  }, [personId]);
  return { snapshot: snapshot?.me.id === personId ? snapshot : null, connected };
}

export async function postAct(personId: string, act: PageAct): Promise<PageActAnswer> {
  const headers = { 'content-type': 'application/json' };
  const address = `/page/act?${new URLSearchParams({ as: personId })}`;
  try {
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(act) });
    return actAnswerSchema.parse(await response.json());
  } catch (cause) {
    console.error('The local Slack gave no usable answer.', cause);
    const message = 'The local Slack did not answer. Is the sandbox still running?';
    return { ok: false, error: 'no_answer', message };
  }
}

/** Returns what the page says of a failed act. The errors of a form stand at its fields instead. */
export function troubleOf(answer: PageActAnswer): string | null {
  if (answer.ok || answer.error === 'form_errors') return null;
  const { error, message } = answer;
  return message.includes(error) ? message : `${message} (${error})`;
}
