import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react';
import { actAnswerSchema, type PageAct, type PageActAnswer, type Snapshot, snapshotSchema } from '../page-protocol.ts';

interface Following {
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** Called when the connection opens and breaks. The browser reconnects by itself. */
  readonly onLine: (connected: boolean) => void;
  readonly onUnknown: () => void;
}

function followWorkspace(personId: string, { onSnapshot, onLine, onUnknown }: Following): () => void {
  const source = new EventSource(`/page/stream?as=${encodeURIComponent(personId)}`);
  source.addEventListener('snapshot', ({ data }) => onSnapshot(snapshotSchema.parse(JSON.parse(data))));
  source.addEventListener('open', () => onLine(true));
  source.addEventListener('error', () => {
    onLine(false);
    // A refusal ends the stream; a connection that breaks doesn't.
    if (source.readyState === EventSource.CLOSED) onUnknown();
  });
  return () => source.close();
}

/** Performs an act as this person. Never rejects: a sandbox that is gone is an answer, too. */
export function postAct(personId: string, act: PageAct): Promise<PageActAnswer> {
  const query = new URLSearchParams({ as: personId });
  return post(`/page/act?${query}`, JSON.stringify(act));
}

const noAnswer = {
  ok: false,
  error: 'no_answer',
  message: 'The local Slack did not answer. Is the sandbox still running?',
} as const;

async function post(address: string, body: string): Promise<PageActAnswer> {
  try {
    const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return actAnswerSchema.parse(await response.json());
  } catch (cause) {
    console.error('The local Slack gave no usable answer.', cause);
    return noAnswer;
  }
}

/** The meanings of Slack's error codes, where its own sentence doesn't explain them. */
const meanings: Readonly<Record<string, string>> = {
  operation_timeout: 'the app did not acknowledge within 3 seconds',
  dispatch_failed: 'the app has no connection to the workspace',
};

/** Codes whose sentence needs no explanation. */
const plainly: readonly string[] = ['not_supported_in_threads'];

/** Returns the message about an answer for the person. Null if there is no error, or if the form itself shows it. */
export function troubleOf(answer: PageActAnswer): string | null {
  if (answer.ok || answer.error === 'form_errors') return null;
  const { error, message } = answer;
  const notes = [message.includes(error) || plainly.includes(error) ? undefined : error, meanings[error]].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? message : `${message} (${notes.join(': ')})`;
}

/** What the person sees and can do. `send` shows a refusal to the person and also returns it. */
export interface Workspace {
  readonly snapshot: Snapshot;
  readonly send: (act: PageAct) => Promise<PageActAnswer>;
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

/** What this person sees; null until their first snapshot has come. `onUnknown` is called if nobody has this ID. */
export function useWorkspaceStream(
  personId: string,
  onUnknown: () => void,
): {
  readonly snapshot: Snapshot | null;
  readonly connected: boolean;
} {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [connected, setConnected] = useState(true);
  const reportUnknown = useEffectEvent(onUnknown);
  useEffect(
    () =>
      followWorkspace(personId, {
        onSnapshot: setSnapshot,
        onLine: setConnected,
        onUnknown: () => reportUnknown(),
      }),
    [personId],
  );
  return { snapshot: snapshot?.me.id === personId ? snapshot : null, connected };
}
