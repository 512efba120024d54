import { z } from 'zod';
import type { TrafficEntry, TrafficLine } from '../../traffic/traffic-protocol.ts';

const json = z.record(z.string(), z.unknown());
const problem = z.object({ message: z.string(), pointer: z.string().nullable() });

const outcome = z.discriminatedUnion('is', [
  z.object({ is: z.literal('accepted') }),
  z.object({ is: z.literal('acknowledged'), afterMs: z.number() }),
  z.object({ is: z.literal('refused'), error: z.string(), hint: z.string().nullable(), problems: z.array(problem) }),
  z.object({ is: z.literal('lost') }),
  z.object({ is: z.literal('waiting') }),
  z.object({ is: z.literal('never acknowledged'), error: z.string() }),
  z.object({ is: z.literal('noted') }),
]);

const line = z.object({
  id: z.number(),
  at: z.number(),
  kind: z.enum(['call', 'envelope', 'connection']),
  what: z.string(),
  about: z.string(),
  outcome,
});

const lines: z.ZodType<TrafficLine[]> = z.array(line);
const entry: z.ZodType<TrafficEntry> = line.extend({ sent: json.nullable(), answer: json.nullable() });

/** Follows all lines, then new and changed ones, until the returned function is called. After a reconnect it gets all lines again. */
export function followTraffic(onLines: (lines: readonly TrafficLine[]) => void): () => void {
  const source = new EventSource('/page/traffic');
  source.addEventListener('traffic', ({ data }) => onLines(lines.parse(JSON.parse(data))));
  return () => source.close();
}

/** Returns a line with all details; null if it is too old to be stored, or if the sandbox doesn't answer. */
export async function fetchEntry(id: number): Promise<TrafficEntry | null> {
  try {
    const response = await fetch(`/page/traffic/entry?id=${id}`);
    return response.ok ? entry.parse(await response.json()) : null;
  } catch (cause) {
    console.error('The local Slack did not send its traffic.', cause);
    return null;
  }
}
