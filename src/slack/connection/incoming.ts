import type { IncomingMessage } from 'node:http';
import { HTTPModuleFunctions, verifySlackRequest } from '@slack/bolt';
import { z } from 'zod';
import { bodyOf } from '../../lib/http.ts';
import { jsonIn } from '../../lib/text/scrub.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';

/** Slack's libraries read these outside of `try`: other shapes would end the process. */
const Body = z.looseObject({ type: z.string().optional(), event: z.looseObject({ type: z.string() }).optional() });
const Frame = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('hello'), num_connections: z.number().optional().catch(undefined) }),
  z.looseObject({ type: z.literal('disconnect') }),
  z.looseObject({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: Body }),
  z.looseObject({ type: z.literal('events_api'), envelope_id: z.string(), payload: Body.required() }),
]);

/** An event with a reserved name would be taken for the client's own. */
export function parseFrame(text: unknown, isReserved: (name: string) => boolean): z.output<typeof Frame> | null {
  const { data = null } = Frame.safeParse(typeof text === 'string' ? jsonIn(text) : undefined);
  return data?.type === 'events_api' && isReserved(data.payload.event.type) ? null : data;
}

const MOST_BYTES = 4 * 2 ** 20;
const STAMP_TOLERANCE_MS = 5 * MINUTE_MS;

export type Post = { rawBody: Buffer } | { status: number; why: string | null };

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

function isBody(request: IncomingMessage, rawBody: Buffer) {
  try {
    return Body.safeParse(HTTPModuleFunctions.parseHTTPRequestBody(Object.assign(request, { rawBody }))).success;
  } catch {
    return false;
  }
}
