import type { Json } from '../page-protocol.ts';

/**
 * What the page gets of the traffic between the bot and the workspace. No token, secret, or address that admits or answers is in it.
 *
 *   GET /page/traffic           -> server-sent events named `traffic`, each a list of TrafficLine: all of them at first, then what is new or changed
 *   GET /page/traffic/entry?id= -> TrafficEntry
 */

/** What is wrong, in Slack's words; `pointer` is a JSON pointer into what was sent, null where Slack names no place. */
export interface TrafficProblem {
  readonly message: string;
  readonly pointer: string | null;
}

export type TrafficOutcome =
  /** A call or a response_url that was answered with `ok: true`; `afterMs` of a delivery is the time to its acknowledgment. */
  | { readonly is: 'accepted' }
  | { readonly is: 'acknowledged'; readonly afterMs: number }
  /** `hint` is what else the answer says: the scope that is needed, how long to wait. */
  | {
      readonly is: 'refused';
      readonly error: string;
      readonly hint: string | null;
      readonly problems: readonly TrafficProblem[];
    }
  /** The answer was kept back or lost on its way to the bot. */
  | { readonly is: 'lost' }
  | { readonly is: 'waiting' }
  | { readonly is: 'never acknowledged'; readonly error: string }
  | { readonly is: 'noted' };

/** One call, envelope or change of a connection, as short as in a list. */
export interface TrafficLine {
  readonly id: number;
  /** Milliseconds of the workspace's clock. */
  readonly at: number;
  readonly kind: 'call' | 'envelope' | 'connection';
  /** `chat.postMessage`, `/notif failures`, `app_mention`, … */
  readonly what: string;
  /** The arguments in short, or where the payload comes from. */
  readonly about: string;
  readonly outcome: TrafficOutcome;
}

/** The same with all that was sent and answered; null where nothing was. */
export interface TrafficEntry extends TrafficLine {
  readonly sent: Json | null;
  readonly answer: Json | null;
}
