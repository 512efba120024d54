import { z } from 'zod';
import type { PageAct, PageActAnswer, Snapshot } from '../page-protocol.ts';
import { snapshotSchema } from '../snapshot-schema.ts';

const json = z.record(z.string(), z.unknown());

const answer: z.ZodType<PageActAnswer> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), options: z.array(json).exactOptional() }),
  z.object({ ok: z.literal(false), error: z.string(), message: z.string() }),
]);

interface Following {
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** Called when the connection opens and breaks. The browser reconnects by itself. */
  readonly onLine: (connected: boolean) => void;
  /** Called if nobody in the workspace has this ID. */
  readonly onUnknown: () => void;
}

/** Follows what this person sees until the returned function is called. */
export function followWorkspace(personId: string, { onSnapshot, onLine, onUnknown }: Following): () => void {
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

/** The answer if the local Slack returns nothing readable. */
const noAnswer = {
  ok: false,
  error: 'no_answer',
  message: 'The local Slack did not answer. Is the sandbox still running?',
} as const;

async function post(address: string, body: string): Promise<PageActAnswer> {
  try {
    const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return answer.parse(await response.json());
  } catch (cause) {
    console.error('The local Slack gave no usable answer.', cause);
    return noAnswer;
  }
}
