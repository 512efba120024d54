import type { Json } from '../page-protocol.ts';

/**
 * What the page gets of the traffic between the bot and the workspace. It has no token, secret, or URL that admits or answers.
 *
 * - GET /page/traffic -> server-sent events named `traffic`, each a list of TrafficLine: first all of them, then new and changed ones
 * - GET /page/traffic/entry?id= -> TrafficEntry
 */

/** A problem in Slack's words. `pointer` is a JSON pointer into what was sent; null if Slack names no place. */
export interface TrafficProblem {
  readonly message: string;
  readonly pointer: string | null;
}

export type TrafficOutcome =
  /** A call or response_url that was answered with `ok: true`. `afterMs` of a delivery is the time to its acknowledgment. */
  | { readonly is: 'accepted' }
  | { readonly is: 'acknowledged'; readonly afterMs: number }
  /** `hint` is further information in the answer: the needed scope, or how long to wait. */
  | {
      readonly is: 'refused';
      readonly error: string;
      readonly hint: string | null;
      readonly problems: readonly TrafficProblem[];
    }
  /** The answer was withheld, or lost on its way to the bot. */
  | { readonly is: 'lost' }
  | { readonly is: 'waiting' }
  | { readonly is: 'never acknowledged'; readonly error: string }
  | { readonly is: 'noted' };

/** A call, an envelope or a change of a connection, as in a list. */
export interface TrafficLine {
  readonly id: number;
  /** Milliseconds of the workspace's clock. */
  readonly at: number;
  readonly kind: 'call' | 'envelope' | 'connection';
  /** `chat.postMessage`, `/notif failures`, `app_mention`, … */
  readonly what: string;
  /** Short arguments, or where the payload comes from. */
  readonly about: string;
  readonly outcome: TrafficOutcome;
}

/** A line with everything sent and answered; null if nothing was. */
export interface TrafficEntry extends TrafficLine {
  readonly sent: Json | null;
  readonly answer: Json | null;
}
