import type { Snapshot } from '../slack/page-protocol.ts';
import { snapshotSchema } from '../slack/snapshot-schema.ts';

/**
 * Yields what a person sees of a running sandbox, now and after every change, until the sandbox ends. Rejects with `TypeError` if nothing
 * answers.
 */
export async function* followPage(origin: string, as: string): AsyncGenerator<Snapshot> {
  const response = await fetch(`${origin}/page/stream?as=${encodeURIComponent(as)}`);
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
