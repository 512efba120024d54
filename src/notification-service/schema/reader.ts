import type { z } from 'zod';

/** What an answer, or a part of one, says in our words; or why it can't be read: the field at fault and what is wrong with it. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export type Reader<Value> = (body: unknown) => Read<Value>;

/**
 * A schema of the service's words, and the function that says them in ours. Two steps on purpose: with zod's `transform` V8
 * came to hold on to pages that were done with, and a page of 50 events took up to 1.7 ms of CPU instead of 0.7.
 */
export function reader<Wire, Value>(schema: z.ZodType<Wire>, translate: (wire: Wire) => Value): Reader<Value> {
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? { ok: true, value: translate(parsed.data) } : { ok: false, reason: reasonOf(parsed.error) };
  };
}

/** 'jobs.0.status: invalid_type'. Zod's own message may quote the value. */
function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : `${issue.path.join('.')}: ${issue.code}`;
}
