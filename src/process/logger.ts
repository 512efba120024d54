import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '../domain/logger.ts';
import { describeError } from './describe-error.ts';

/** Fields that nobody should pass to the logger. If they are passed, their values are still left out. */
const NEVER_LOGGED = [
  ...['token', 'botToken', 'appToken', 'apiKey', 'authorization', 'cookie', 'password', 'secret', 'connectionString'],
  ...['deviceTokens', 'webhookUrl', 'credentials', 'headers', 'body', 'payload'],
];

export interface LoggerOptions {
  /** One of pino's levels, or `silent`. */
  readonly level: string;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/**
 * Creates the process's logger: one JSON object per line with `level` as a word, `time` (ISO 8601, UTC), the fields, and `msg`, a constant
 * sentence. An Error in any field is described by class, code, scrubbed message, stack and causes, never by its own properties: those of an
 * HTTP client hold addresses, headers and bodies.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withErrorsDescribed },
      // pino's own serializer for `err` would run before Notif's and show every property.
      serializers: { err: (described: unknown) => described },
      redact: { paths: NEVER_LOGGED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    },
    destination,
  );
}

function withErrorsDescribed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? describeError(value) : value]),
  );
}
