import type { IncomingMessage } from 'node:http';
import { HTTPModuleFunctions, verifySlackRequest } from '@slack/bolt';
import { z } from 'zod';
import { bodyOf } from '../../lib/http.ts';
import { jsonIn } from '../../lib/text/scrub.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';

/** Slack's libraries read these fields outside of `try`: other shapes would end the process. */
const Body = z.looseObject({ type: z.string().optional(), event: z.looseObject({ type: z.string() }).optional() });
const Frame = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('hello'), num_connections: z.number().optional().catch(undefined) }),
  z.looseObject({ type: z.literal('disconnect') }),
  z.looseObject({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: Body }),
  z.looseObject({ type: z.literal('events_api'), envelope_id: z.string(), payload: Body.required() }),
]);

/** Far more than Slack posts. */
const MOST_BYTES = 4 * 2 ** 20;
/** Slack's advice against replays. */
const STAMP_TOLERANCE_MS = 5 * MINUTE_MS;

/** A post of Slack, or how it's refused; `why` is null if that is usual. */
export type Post = { rawBody: Buffer } | { status: number; why: string | null };

/** Null for what can't be handled, such as an event with a reserved name: it would be taken for the client's own. */
export function parseFrame(text: unknown, isReserved: (name: string) => boolean): z.output<typeof Frame> | null {
  const { data = null } = Frame.safeParse(typeof text === 'string' ? jsonIn(text) : undefined);
  return data?.type === 'events_api' && isReserved(data.payload.event.type) ? null : data;
}

/** Reads and verifies a post. `now` is in ms. */
export async function readPost(request: IncomingMessage, signingSecret: string, now: number): Promise<Post> {
  const rawBody = await bodyOf(request, MOST_BYTES);
  if (rawBody === null) return { status: 413, why: 'incomplete, or too long' };
  const body = rawBody.toString();
  // Slack checks the address without a signature.
  if (/(?:^|&)ssl_check=1(?:&|$)/.test(body)) return { status: 200, why: null };
  try {
    const signature = HTTPModuleFunctions.getHeader(request, 'x-slack-signature');
    const stamp = Number(HTTPModuleFunctions.getHeader(request, 'x-slack-request-timestamp'));
    const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': stamp };
    // Bolt accepts future times and NaN.
    if (!(Math.abs(now - stamp * 1_000) <= STAMP_TOLERANCE_MS))
      return { status: 401, why: 'timestamp is stale, or of the future' };
    verifySlackRequest({ signingSecret, body, headers });
  } catch (error) {
    return { status: 401, why: error instanceof Error ? error.message : 'unsigned' };
  }
  return isBody(request, rawBody) ? { rawBody } : { status: 400, why: 'malformed' };
}

function isBody(request: IncomingMessage, rawBody: Buffer): boolean {
  try {
    return Body.safeParse(HTTPModuleFunctions.parseHTTPRequestBody(Object.assign(request, { rawBody }))).success;
  } catch {
    return false;
  }
}
