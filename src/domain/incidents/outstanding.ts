/** How grave an open group is: critical before any severity, `other` for those without one that is known. */
export const OPEN_SEVERITIES = ['critical', 'high', 'medium', 'low', 'other'] as const;
export type OpenSeverity = (typeof OPEN_SEVERITIES)[number];

/** How many groups of a severity are open: failing, or without failures lately and not resolved: recovering, or quiet. */
export interface OpenBySeverity {
  readonly severity: OpenSeverity;
  readonly failing: number;
  readonly quiet: number;
}

/** A channel in which watches are muted as a whole. */
export interface MutedChannel {
  /** Null where anyone who reads this may not know it. */
  readonly channel: string | null;
  readonly muted: number;
  /** How many watches the channel has. */
  readonly watches: number;
  /** When the first of the mutes ends. */
  readonly until: Date;
}

/** What is open and muted now. */
export interface Outstanding {
  readonly open: readonly OpenBySeverity[];
  /** The one that ends first, first. */
  readonly mutes: readonly MutedChannel[];
  /** Groups that are muted in a watch, each watch apart. */
  readonly mutedGroups: number;
}

/** The severity under which a group is counted. */
export function openSeverity(critical: boolean, severity: string | null): OpenSeverity {
  if (critical) return 'critical';
  return OPEN_SEVERITIES.find((known) => known !== 'critical' && known === severity) ?? 'other';
}

/** Counts groups by severity, the gravest first; severities without any are absent. */
export function countOpen(
  groups: readonly { readonly severity: OpenSeverity; readonly isFailing: boolean; readonly groups: number }[],
): OpenBySeverity[] {
  const sum = (severity: OpenSeverity, isFailing: boolean) =>
    groups
      .filter((one) => one.severity === severity && one.isFailing === isFailing)
      .reduce((total, one) => total + one.groups, 0);
  return OPEN_SEVERITIES.map((severity) => ({
    severity,
    failing: sum(severity, true),
    quiet: sum(severity, false),
  })).filter(({ failing, quiet }) => failing + quiet > 0);
}
