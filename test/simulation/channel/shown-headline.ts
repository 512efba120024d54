/** The first line of Home and `/notif status` as a reader sees it. Times are milliseconds. */
export interface ShownHeadline {
  readonly isGreen: boolean;
  readonly failing: number;
  readonly quiet: number;
  readonly mutedIncidents: number;
  /** The channels that are muted, with the time until which: 'C0ONCALL until 1774299600000'. */
  readonly mutedChannels: string;
  readonly pending: number;
  readonly needsAttention: boolean;
}

/** Parses a headline; what it doesn't name counts as none. */
export function shownHeadline(text: string): ShownHeadline {
  const count = (words: RegExp) => Number(text.match(words)?.[1] ?? 0);
  const channels = text.matchAll(/<#(\w+)> is muted until <!date\^(\d+)/g);
  return {
    isGreen: text.includes('✅'),
    failing: count(/(\d+) incidents? failing/),
    quiet: count(/(\d+) incidents? without failures lately/),
    mutedIncidents: count(/(\d+) incidents? muted/),
    mutedChannels: Array.from(channels, ([, channel, until]) => `${channel} until ${Number(until) * 1_000}`).join(', '),
    pending: count(/(\d+) messages? pending/),
    needsAttention: text.includes('Needs attention'),
  };
}
