/** The last call of Slack's Web API that did not succeed. */
export interface SlackTrouble {
  /** `chat.postMessage` */
  readonly method: string;
  /** Slack's word for what was wrong, or the outcome of the request: `rate_limited`, `timed_out`, `unreachable`, `http_503`. */
  readonly word: string;
  readonly at: Date;
}
