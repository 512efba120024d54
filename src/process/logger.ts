import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '../lib/logger.ts';
import { describeError } from './describe-error.ts';

/** Fields that nobody should pass to the logger. If they are passed, their values are still left out. */
const NEVER_LOGGED = [
  ...['token', 'botToken', 'appToken', 'apiKey', 'authorization', 'cookie', 'password', 'secret', 'connectionString'],
  ...['deviceTokens', 'webhookUrl', 'credentials', 'headers', 'body', 'payload'],
];

export interface LoggerOptions {
  readonly level: string;
  readonly destination?: DestinationStream;
}

/** An Error in any field is described by an allow-list, never by its own properties: those of a client hold addresses and headers. */
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
