import type { ServiceProblem } from '../lib/errors.ts';

/** A change that somebody asked for. Only IDs, names and numbers; no payload or other typed value. */
export interface AuditEntry {
  readonly at: Date;
  /** A Slack user ID. */
  readonly actor: string;
  readonly channel: string | null;
  readonly environment: string | null;
  readonly change: Change;
  readonly outcome: ChangeOutcome;
  /** Each intent has one entry, however often it is recorded; null: the change can't be submitted twice. */
  readonly intentId: string | null;
}

export type Change =
  /** `recipients`: its events, of which several can be for one subscriber. */
  | { readonly action: 'trigger'; readonly workflow: string; readonly recipients: number }
  | { readonly action: 'credentials'; readonly subscriberId: string; readonly provider: string }
  /** `watch`: its settings as command text. */
  | { readonly action: 'watch-made' | 'watch-changed' | 'watch-ended' | 'watch-unmuted'; readonly watch: string }
  | { readonly action: 'watch-muted'; readonly watch: string; readonly until: Date }
  | { readonly action: 'incident-muted'; readonly incident: AuditedIncident; readonly until: Date }
  | {
      readonly action: 'incident-unmuted' | 'acknowledged' | 'unacknowledged' | 'resolved';
      readonly incident: AuditedIncident;
    }
  /** `text`: without secrets and contacts. */
  | { readonly action: 'noted'; readonly incident: AuditedIncident; readonly text: string }
  /** `to`: a Slack user id. */
  | { readonly action: 'assigned'; readonly incident: AuditedIncident; readonly to: string }
  /** A deploy was reported; which is in `/notif changes`. */
  | { readonly action: 'deployed' }
  /** The channel's new default environment; null: back to the first one. */
  | { readonly action: 'channel-environment'; readonly to: string | null };

export interface AuditedIncident {
  /** Null if it is no longer kept. */
  readonly number: number | null;
  readonly channel: string;
  readonly provider: string | null;
}

export type ChangeOutcome =
  /** Recorded before it is carried out. Stays so if the process ended in between. */
  | { readonly is: 'begun' }
  | { readonly is: 'done' }
  | { readonly is: 'sent'; readonly accepted: number; readonly refused: number }
  /** Definitely nothing was changed. `why` is one of a few codes, since the service's message may quote what was typed. */
  | { readonly is: 'refused'; readonly why: ServiceProblem['kind'] | 'not-found' }
  /** The answer was lost: the change may have gone through. */
  | { readonly is: 'unknown' };

export interface AuditQuery {
  readonly since: Date;
  /** Empty: all, and entries without one. */
  readonly environments: readonly string[];
  /** The number of the last entry of the page before; null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export type NumberedEntry = AuditEntry & { readonly number: number };

export interface AuditPage {
  readonly entries: readonly NumberedEntry[];
  readonly hasOlder: boolean;
}
