import type { IncidentNow } from '../incidents/incident.ts';
import type { Mention } from '../watches/settings.ts';
import type { contentOf } from './content.ts';
import type { Reason } from './decide.ts';

export const KINDS = ['digest', 'gap', 'silence', 'changes', 'summary', 'watch-ended', 'thread', 'told'] as const;
export type Kind = (typeof KINDS)[number];

export type Content = NonNullable<Awaited<ReturnType<typeof contentOf>>>;
type Of<K extends Kind> = Extract<Content, { readonly kind: K }>;
export type SilenceContent = Of<'silence'>;
export type ChangesContent = Of<'changes'>;
export type WatchEndedContent = Of<'watch-ended'>;
export type ThreadContent = Of<'thread'>;
export type ToldContent = Of<'told'>;

export interface Addressed {
  readonly id: string;
  /** Or a user's, for a direct message. */
  readonly channel: string;
}

export interface DigestContent extends Addressed {
  readonly kind: 'digest';
  readonly environment: string;
  readonly rows: readonly DigestRow[];
  readonly moreIncidents: number;
  readonly singles: readonly IncidentNow[];
  readonly mention: Mention | null;
}

export const DIGEST_ROWS = 10;

export interface DigestRow {
  readonly incident: IncidentNow;
  readonly reason: Reason;
  readonly missed: number | null;
  readonly grownFrom: number | null;
  /** A newer message tells of it. */
  readonly isContinued: boolean;
  readonly olderTs: string | null;
}
