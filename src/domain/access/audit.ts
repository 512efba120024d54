import type { ServiceProblem } from '../errors.ts';

/**
 * A change that somebody asked for: who, when, where, what, and its outcome. It holds ids, names and numbers; a payload, a
 * credential or any other value that was typed has no place in it.
 */
export interface AuditEntry {
  readonly at: Date;
  /** The Slack user who asked. */
  readonly actor: string;
  /** Where they asked; null where no channel is known, as for a global shortcut. */
  readonly channel: string | null;
  /** Null where the change is about no single environment. */
  readonly environment: string | null;
  readonly change: Change;
  readonly outcome: ChangeOutcome;
  /** There is one entry for an intent, however often it is recorded; null: what it was made for can't be asked for twice. */
  readonly intentId: string | null;
}

export type Change =
  | { readonly action: 'trigger'; readonly workflow: string; readonly recipients: number }
  | { readonly action: 'credentials'; readonly subscriberId: string; readonly provider: string }
  /** `watch`: its settings in the words of a command. */
  | { readonly action: 'watch-made' | 'watch-changed' | 'watch-ended' | 'watch-taken-over'; readonly watch: string }
  | { readonly action: 'watch-muted'; readonly watch: string; readonly until: Date }
  | { readonly action: 'watch-unmuted'; readonly watch: string }
  | { readonly action: 'group-muted'; readonly group: AuditedGroup; readonly until: Date }
  | {
      readonly action: 'group-unmuted' | 'acknowledged' | 'unacknowledged' | 'resolved' | 'noted';
      readonly group: AuditedGroup;
    }
  /** `to`: a Slack user id. */
  | { readonly action: 'assigned'; readonly group: AuditedGroup; readonly to: string }
  /** A deploy was reported; which is in `/notif changes`. */
  | { readonly action: 'deployed' }
  /** The environment that a channel asks in from then on; null: the first one again. */
  | { readonly action: 'channel-environment'; readonly to: string | null };

/** What tells a group from others, in the words of a digest's row. */
export interface AuditedGroup {
  readonly workflow: string | null;
  readonly channel: string;
  readonly provider: string | null;
  /** Normalized and scrubbed. */
  readonly cause: string;
}

export type ChangeOutcome =
  /** Written down before it is carried out. It stays so where the process ended in between. */
  | { readonly is: 'begun' }
  | { readonly is: 'done' }
  /** Of several: how many were taken, and how many were not. */
  | { readonly is: 'sent'; readonly accepted: number; readonly refused: number }
  /** For sure nothing was changed. `why` is one of a few words: what the service says may quote what was typed. */
  | { readonly is: 'refused'; readonly why: ServiceProblem['kind'] | 'not-found' }
  /** The answer was lost: it may have been carried out. */
  | { readonly is: 'unknown' };
