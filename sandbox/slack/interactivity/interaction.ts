import type { Json } from '../page-protocol.ts';

/**
 * What a person experiences after an interaction. `ackMs` is the time until the bot's acknowledgment (0 if the bot didn't get it); `error`
 * is Slack's code, `message` the sentence that the person reads; `errors` are a form's, by block.
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
