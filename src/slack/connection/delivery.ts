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
  /** There will be no acknowledgment. */
  readonly abandon: () => void;
}
