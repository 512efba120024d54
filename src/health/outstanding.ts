/** The severity of an open incident: critical before any severity, `other` for an unknown or missing one. */
export const OPEN_SEVERITIES = ['critical', 'high', 'medium', 'low', 'other'] as const;
export type OpenSeverity = (typeof OPEN_SEVERITIES)[number];

/** How many incidents of a severity are open: failing, or unresolved without recent failures, that is, recovering or quiet. */
export interface OpenBySeverity {
  readonly severity: OpenSeverity;
  readonly failing: number;
  readonly quiet: number;
}

export interface MutedChannel {
  /** Null if the reader might not be a member of the channel. */
  readonly channel: string | null;
  readonly muted: number;
  readonly watches: number;
  readonly until: Date;
}

export interface Outstanding {
  readonly open: readonly OpenBySeverity[];
  /** The one that ends next comes first. */
  readonly mutes: readonly MutedChannel[];
  /** Incidents muted in at least one watch, resolved ones included: they fail again unannounced. */
  readonly mutedIncidents: number;
}

export function openSeverity(critical: boolean, severity: string | null): OpenSeverity {
  if (critical) return 'critical';
  return OPEN_SEVERITIES.find((known) => known !== 'critical' && known === severity) ?? 'other';
}

/** Counts incidents by severity, the highest first; severities without any are absent. */
export function countOpen(
  incidents: readonly { readonly severity: OpenSeverity; readonly isFailing: boolean; readonly incidents: number }[],
): OpenBySeverity[] {
  const sum = (severity: OpenSeverity, isFailing: boolean) =>
    incidents
      .filter((open) => open.severity === severity && open.isFailing === isFailing)
      .reduce((total, open) => total + open.incidents, 0);
  return OPEN_SEVERITIES.map((severity) => ({
    severity,
    failing: sum(severity, true),
    quiet: sum(severity, false),
  })).filter(({ failing, quiet }) => failing + quiet > 0);
}
