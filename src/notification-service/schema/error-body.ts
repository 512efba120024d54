import { z } from 'zod';
import { FreeText } from '../../domain/text/free-text.ts';
import { isObject } from '../../domain/text/same-json.ts';
import { errorIdOf } from './error-id.ts';

/** The part of the service's error body that Notif uses (field notes, "Transport"). `path` and the values in `errors` are ignored. */
export interface ErrorBody {
  /** Scrubbed. Empty if the service gives none. */
  readonly message: string;
  /** The names of the fields that the service objected to, scrubbed. */
  readonly fields: readonly string[];
  readonly errorId: string | null;
}

const Wire = z.object({
  statusCode: z.coerce.number().int().nullish().catch(null),
  message: z.unknown().optional(),
  errors: z.unknown().optional(),
  errorId: z.string().nullish().catch(null),
});

const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

/** Parses the service's own error body: a message, a status code or an error ID. Null if something in front of the service responded. */
export function parseErrorBody(body: unknown): ErrorBody | null {
  const wire = Wire.safeParse(body);
  if (!wire.success) return null;
  const { statusCode, message, errors, errorId } = wire.data;
  const messages = messagesIn(message);
  if (messages.length === 0 && !statusCode && !errorId) return null;
  return {
    message: scrubbed(messages.join('; ')),
    fields: isObject(errors) ? Object.keys(errors).filter(isField).slice(0, MAX_FIELDS).map(scrubbed) : [],
    errorId: errorId && ERROR_ID.test(errorId) ? errorIdOf(errorId) : null,
  };
}

/** Returns the texts of a message, which can also be a list or another error body. */
function messagesIn(message: unknown): readonly string[] {
  const inner = isObject(message) ? message.message : message;
  return [inner].flat().filter((one) => typeof one === 'string');
}

/** Returns whether a name is a field's: the service uses 'general' for what belongs to no field. */
function isField(name: string): boolean {
  return name !== 'general';
}

function scrubbed(text: string): string {
  return new FreeText(text).toString();
}
