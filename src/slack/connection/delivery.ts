/** A single delivery from Slack, over a socket or by HTTP, and how to acknowledge it. */
export interface SlackDelivery {
  /** Only the same if the very same delivery comes twice. */
  readonly id: string;
  /** `slash_commands`, `interactive` or `events_api`. */
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The number of the repeat of an event, and Slack's reason for it. */
  readonly retryNum: number | undefined;
  readonly retryReason: string | undefined;
  /** @throws if its connection has closed meanwhile. */
  readonly acknowledge: (response: unknown) => Promise<void>;
  /** Called if it couldn't be handled: there will be no acknowledgment. */
  readonly abandon: () => void;
}
