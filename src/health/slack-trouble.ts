/** The last failed call of Slack's Web API whose method hasn't succeeded since. */
export interface SlackTrouble {
  /** `chat.postMessage` */
  readonly method: string;
  /** Slack's error code, or the outcome of the request: `rate_limited`, `timed_out`, `unreachable`, `http_503`. */
  readonly word: string;
  readonly at: Date;
}
