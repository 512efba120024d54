import { z } from 'zod';
import type { Snapshot } from '../slack/page-protocol.ts';
import { snapshotSchema } from '../slack/snapshot-schema.ts';

/** Thrown if a sandbox shows nothing to this person. The message is a sentence for the user. */
export class PageRefusedError extends Error {
  override readonly name = 'PageRefusedError';
}

/**
 * Yields what a person sees of a running sandbox, now and after every change, until the sandbox ends.
 *
 * @throws PageRefusedError if nobody has the ID, or no sandbox answers; `TypeError` if nothing answers.
 */
export async function* followPage(origin: string, as: string): AsyncGenerator<Snapshot> {
  const response = await fetch(`${origin}/page/stream?as=${encodeURIComponent(as)}`);
  if (!response.ok) throw new PageRefusedError(await reasonOf(response));
  if (response.body === null) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield snapshotSchema.parse(JSON.parse(data));
    }
  }
}

const refusal = z.object({ message: z.string() });

/** Returns the page's reason. An answer that isn't JSON is another program's, so no sandbox answers. */
async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return refusal.safeParse(body).data?.message ?? `No sandbox answers at ${new URL(response.url).host}.`;
}
