import type { Json } from '../page-protocol.ts';

/**
 * What a person experiences after an interaction. `ackMs` is the time until the bot acknowledged it (0 when the bot was not
 * asked); `error` is Slack's word, `message` the sentence that the person reads; `errors` are per block, from a form.
 */
export type Interaction =
  | { readonly ok: true; readonly ackMs: number; readonly options?: readonly Json[] }
  | {
      readonly ok: false;
      readonly ackMs: number;
      readonly error: string;
      readonly message: string;
      readonly errors?: Readonly<Record<string, string>>;
    };

export function failed(error: string, message: string, ackMs = 0): Interaction {
  return { ok: false, ackMs, error, message };
}
