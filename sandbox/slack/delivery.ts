import type { Json } from './page-protocol.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** What became of one payload; `ackMs` is the time to the acknowledgement, `response` what came with it. */
export type Delivery =
  | { readonly ok: true; readonly ackMs: number; readonly response: Json }
  | { readonly ok: false; readonly ackMs: number; readonly error: 'operation_timeout' | 'dispatch_failed' };
