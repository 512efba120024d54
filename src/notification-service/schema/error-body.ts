import { z } from 'zod';
import { FreeText } from '../../domain/text/free-text.ts';
import { isObject } from './fields.ts';

/** What Notif uses of the service's error body (field notes, "Transport"). `path` and the values in `errors` are not read. */
export interface ErrorBody {
  /** Scrubbed; empty where the service gives none. */
  readonly message: string;
  /** The names of the fields that it objected to, scrubbed. */
  readonly fields: readonly string[];
  readonly errorId: string | null;
}

const Wire = z.object({
  statusCode: z.number().optional(),
  message: z.union([z.string(), z.array(z.string())]),
  errors: z.unknown().optional(),
  errorId: z.string().nullish().catch(null),
});

const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

/** The service's own error body, or null where something in front of it answered. */
export function parseErrorBody(body: unknown): ErrorBody | null {
  const wire = Wire.safeParse(body);
  if (!wire.success) return null;
  const { message, errors, errorId } = wire.data;
  return {
    message: scrubbed(typeof message === 'string' ? message : message.join('; ')),
    fields: isObject(errors) ? Object.keys(errors).filter(isField).slice(0, MAX_FIELDS).map(scrubbed) : [],
    errorId: errorId && ERROR_ID.test(errorId) ? scrubbed(errorId) : null,
  };
}

/** 'general' is where the service puts what belongs to no field. */
function isField(name: string): boolean {
  return name !== 'general';
}

function scrubbed(text: string): string {
  return new FreeText(text).toString();
}
