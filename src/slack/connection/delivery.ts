/** What Slack sent once, over a socket or by HTTP, and the way to acknowledge it. */
export interface Delivery {
  /** The same only where the very same delivery comes twice. */
  readonly id: string;
  /** `slash_commands`, `interactive` or `events_api`. */
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Which repeat of an event this is, and Slack's reason for it. */
  readonly retryNum: number | undefined;
  readonly retryReason: string | undefined;
  /** @throws where the connection that it came over has closed in between. */
  readonly acknowledge: (response: unknown) => Promise<void>;
  /** No acknowledgment will come: it could not be handled. */
  readonly abandon: () => void;
}
