import { z } from 'zod';
import type { EnvironmentChange } from '../changes/change.ts';
import type { Gap } from '../coverage/gap.ts';
import type { SharedLabel } from '../judging/labels.ts';
import { RECORDED_VERDICTS, type RecordedVerdict } from '../judging/verdict.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import { type Attempts, type Badness, isEvery } from './badness.ts';
import type { IncidentRef } from './incident-ref.ts';
import type { IncidentState } from './state.ts';

/** What fails; or why Notif itself can't say what does. */
export type IncidentKind = 'failures' | 'unreadable' | 'slow' | 'not-running' | 'silence';

/** How an outbreak ended: it was delivered again, by a person's word, without a proof, or as a part of another incident. */
export type Ending = 'recovered' | 'resolved' | 'unconfirmed' | 'continued';

export const StoredVerdict = z.enum(RECORDED_VERDICTS);

export type StateNow =
  | { is: 'firing' }
  | { is: 'recovering' | 'unconfirmed'; since: Date }
  | { is: 'resolved'; at: Date; actor: string | null; ending?: Ending | null };

export const isFiring = ({ is }: { is: IncidentState }): boolean => is === 'firing';

/** What a person wrote of an incident. */
export const NoteRow = z.object({ actor: z.string(), at: z.date(), text: z.string() });
export type Note = z.output<typeof NoteRow>;

/** An incident as it is now, or the part of it that a filter covers. Counts and times are its newest outbreak's. */
export interface IncidentNow {
  id: number;
  /** Tells it from another store's incident of the same number. */
  code: string;
  /** What it is known by: environment, channel, provider and cause, as a hash. */
  key: string;
  kind: IncidentKind;
  environment: string;
  channel: string;
  provider: string | null;
  isTest: boolean;
  headline: string | null;
  isRecipientFault: boolean;
  cause: { text: string; key: string };
  /** The first failure of all outbreaks. */
  firstAt: Date;
  /** The number of its newest outbreak: 1 unless it came back. */
  outbreak: number;
  beganAt: Date;
  lastAt: Date;
  /** The outbreaks before the newest, oldest first; none where a filter covers a part. */
  earlier: readonly TimeRange[];
  /** When this was read. */
  asOf: Date;
  state: StateNow;
  verdict: RecordedVerdict;
  failures: number;
  /** Over all outbreaks; null where a filter covers a part. */
  failuresInAll: number | null;
  subscribers: number;
  /** Failures were deleted, so that `subscribers` can't be counted any more: it is the least. */
  isAtLeast: boolean;
  critical: boolean;
  badness: Badness;
  /** The highest badness of its newest outbreak. */
  worst: Badness;
  /** The time that an incident of such a kind leaves unchecked; null for other kinds. */
  outage: Outage | null;
  example: Example;
  workflows: readonly WorkflowShare[];
  /** So many others failed. */
  moreWorkflows: number;
  /** The attempts of the outbreak's last minutes at its place; null where it shows a part of its failures, or warnings. */
  attempts: Attempts | null;
  /** So many deliveries since its last failure, while it may be recovering. */
  wentThrough: number;
  /** While it fires: since when its environment hasn't been read; null: it is read. */
  staleSince: Date | null;
  /** What its failures have in common. */
  shared: SharedLabel | null;
  changedBefore: readonly EnvironmentChange[];
  acknowledged: Pick<Note, 'actor' | 'at'> | null;
  /** The acknowledgment of the outbreak before. */
  formerly: Pick<Note, 'actor' | 'at'> | null;
  assignedTo: string | null;
  note: Note | null;
  earlierNote: Note | null;
  /** The newest note of the incident of this cause before it, which began then. */
  lastTime: { from: Date; note: Note } | null;
  /** The incident that it turned out to be one with. */
  continuedAs: number | null;
}

/** One of an incident's failures. */
export interface Example {
  eventId: string | null;
  transactionId: string;
  subscriberId: string | null;
}

/** Time that isn't checked, or wasn't. */
export interface Outage {
  /** Why the environment can't be read; null once it can be again. */
  problem: ServiceProblem | null;
  uncheckedSince: Date;
  gap: Gap | null;
}

export const refOf = ({ id: incidentId, code }: Pick<IncidentNow, 'id' | 'code'>): IncidentRef => ({
  incidentId,
  code,
});

/** What decides in which order incidents are shown. */
type Ranked = Pick<IncidentNow, 'id' | 'isTest' | 'critical' | 'failures' | 'lastAt'> &
  Partial<Pick<IncidentNow, 'attempts'>>;

/** Tests last; then what is critical, what fails for everyone, what failed most, and what failed last. */
export function compareIncidents(a: Ranked, b: Ranked): number {
  return (
    Number(a.isTest) - Number(b.isTest) ||
    Number(b.critical) - Number(a.critical) ||
    Number(isAllFailing(b.attempts)) - Number(isAllFailing(a.attempts)) ||
    b.failures - a.failures ||
    b.lastAt.getTime() - a.lastAt.getTime() ||
    a.id - b.id
  );
}

export const isAllFailing = (attempts: Attempts | null = null): boolean =>
  attempts !== null && isEvery(attempts) && attempts.failed >= attempts.tried;

export interface WorkflowShare {
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  critical: boolean;
  attempts: Pick<Attempts, 'failed' | 'tried'> | null;
}
