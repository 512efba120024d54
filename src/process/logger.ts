import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '../lib/logger.ts';
import { logLine } from '../lib/text/scrub.ts';

const NEVER_LOGGED = [
  'token',
  'botToken',
  'appToken',
  'apiKey',
  'authorization',
  'cookie',
  'password',
  'secret',
  'credentials',
  'connectionString',
  'deviceTokens',
  'webhookUrl',
  'headers',
  'body',
  'payload',
];

/** Logs only an error's description: a client's error holds addresses and headers. */
export function createLogger({ level, destination }: { level: string; destination?: DestinationStream }): Logger {
  const describeField = ([name, value]: [string, unknown]) => {
    return [name, value instanceof Error ? describeError(value) : value];
  };
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).map(describeField)),
    },
    // Pino's own would describe the description: it has a message, too.
    serializers: { err: (description: unknown) => description },
    redact: { paths: NEVER_LOGGED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
  };
  return pino(options, destination);
}

/** These errors' stack says nothing: something outside is away. */
const AWAY = /^(?:ServiceError|StoreTroubleError|AbortError|TimeoutError|WebAPI(?:Request|HTTP|RateLimited)Error)$/;
const SYSTEM_CODE = /^(?:E[A-Z]+|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;

/** These bound a line of the log. */
const DEEPEST_CAUSE = 5;
const MOST_FRAMES = 12;

function describeError(error: Error, depth = 0, isCauseOfAway = false): object {
  const code = String(Reflect.get(error, 'code') ?? '');
  const isAway = isCauseOfAway || AWAY.test(error.name) || SYSTEM_CODE.test(code);
  const status = ['status', 'statusCode']
    .map((key) => Reflect.get(error, key))
    .find((value) => typeof value === 'number');
  const causes = depth < DEEPEST_CAUSE ? causesOf(error).map((cause) => describeError(cause, depth + 1, isAway)) : [];
  return {
    class: error.name === 'Error' ? error.constructor.name : logLine(error.name),
    message: logLine(error.message),
    ...(/^[\w.-]{1,60}$/.test(code) && { code }),
    ...(status !== undefined && { status }),
    ...(!isAway && { stack: framesOf(error) }),
    ...(causes.length > 0 && { causes }),
  };
}

/** Leaves out the message, which a stack repeats unscrubbed. */
function framesOf({ stack = '', message }: Error): string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n');
  const frames = lines.map((line) => line.trim()).filter((line) => line.startsWith('at '));
  return frames.slice(0, MOST_FRAMES);
}

/** JavaScript, AggregateError, Bolt and Slack's client name causes differently. */
function causesOf(error: Error): Error[] {
  const causes = ['cause', 'original', 'errors', 'originals'].flatMap((key) =>
    [Reflect.get(error, key)].flat().slice(0, 3),
  );
  return [...new Set<unknown>(causes)].filter((cause): cause is Error => cause instanceof Error);
}
