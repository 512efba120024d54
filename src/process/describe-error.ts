import { logLine } from '../lib/text/scrub.ts';

export interface ErrorDescription {
  readonly class: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly stack: readonly string[];
  readonly causes?: readonly ErrorDescription[];
}

const DEEPEST_CAUSE = 5;
const MOST_FRAMES = 12;

/**
 * Describes an error by an allow-list: its class, its scrubbed first line, its code and status if they look like one, its stack frames, and
 * the same for its causes, five deep. Reads no other property.
 */
export function describeError(error: Error, depth = 0): ErrorDescription {
  const code = codeOf(error);
  const status = statusOf(error);
  const causes = depth < DEEPEST_CAUSE ? causesOf(error).map((cause) => describeError(cause, depth + 1)) : [];
  return {
    class: classOf(error),
    message: logLine(error.message),
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    stack: framesOf(error),
    ...(causes.length === 0 ? {} : { causes }),
  };
}

function classOf(error: Error): string {
  return error.name === 'Error' ? error.constructor.name : logLine(error.name);
}

function codeOf(error: Error): string | undefined {
  if (!('code' in error)) return undefined;
  return /^[\w.-]{1,60}$/.test(String(error.code)) ? String(error.code) : undefined;
}

function statusOf(error: Error): number | undefined {
  const candidates = ['status' in error ? error.status : null, 'statusCode' in error ? error.statusCode : null];
  return candidates.find((status): status is number => typeof status === 'number');
}

/** Returns only the frames: a stack begins with the unscrubbed message. */
function framesOf(error: Error): string[] {
  const { stack = '', message } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames
    .map((frame) => frame.trim())
    .filter((frame) => frame.startsWith('at '))
    .slice(0, MOST_FRAMES);
}

/** Returns an error's causes: `cause` is JavaScript's, `errors` AggregateError's, `original` and `originals` Bolt's and Slack's client. */
function causesOf(error: Error): Error[] {
  const found = [
    error.cause,
    'original' in error ? error.original : undefined,
    ...('errors' in error && Array.isArray(error.errors) ? error.errors.slice(0, 3) : []),
    ...('originals' in error && Array.isArray(error.originals) ? error.originals.slice(0, 3) : []),
  ];
  return [...new Set(found)].filter((cause): cause is Error => cause instanceof Error);
}
