import type { ServiceProblem } from '../lib/errors.ts';

/** Only IDs, names and numbers; no payload or other typed value. */
export interface AuditEntry {
  readonly at: Date;
  readonly actor: string;
  readonly channel: string | null;
  readonly environment: string | null;
  readonly change: Change;
  readonly outcome: ChangeOutcome;
  /** Null: the change can't be submitted twice. */
  readonly intentId: string | null;
}

export type Change =
  | { readonly action: 'trigger'; readonly workflow: string; readonly recipients: number }
  | { readonly action: 'credentials'; readonly subscriberId: string; readonly provider: string }
  | (WatchChange & { readonly watch: string })
  | (IncidentChange & { readonly incident: AuditedIncident })
  | { readonly action: 'deployed' }
  /** Null: back to the first one. */
  | { readonly action: 'channel-environment'; readonly to: string | null };

export type WatchChange =
  | { readonly action: 'watch-made' | 'watch-changed' | 'watch-ended' | 'watch-unmuted' }
  | { readonly action: 'watch-muted'; readonly until: Date };

/** `text`: without secrets and contacts. `to`: a Slack user ID. */
export type IncidentChange =
  | { readonly action: 'incident-unmuted' | 'acknowledged' | 'unacknowledged' | 'resolved' }
  | { readonly action: 'incident-muted'; readonly until: Date }
  | { readonly action: 'noted'; readonly text: string }
  | { readonly action: 'assigned'; readonly to: string };

export interface AuditedIncident {
  readonly number: number;
  readonly channel: string;
  readonly provider: string | null;
}

export type ChangeOutcome =
  | { readonly is: 'begun' }
  | { readonly is: 'done' }
  | { readonly is: 'sent'; readonly accepted: number; readonly refused: number }
  /** `why` is a code: the service's message may quote what was typed. */
  | { readonly is: 'refused'; readonly why: ServiceProblem['kind'] | 'not-found' }
  | { readonly is: 'unknown' };

export type NumberedEntry = AuditEntry & { readonly number: number };

export interface AuditPage {
  readonly entries: readonly NumberedEntry[];
  readonly hasOlder: boolean;
}
