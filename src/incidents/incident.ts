import { z } from 'zod';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { EnvironmentChange } from '../changes/change.ts';
import type { Gap } from '../coverage/gap.ts';
import type { Failure } from '../judging/failure.ts';
import type { SharedLabel } from '../judging/labels.ts';
import { RECORDED_VERDICTS, type RecordedVerdict, type VerdictClass, verdictClassOf } from '../judging/verdict.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { hashOf } from '../lib/text/hash.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { type Attempts, type Badness, isEvery } from './badness.ts';
import type { IncidentRef } from './incident-ref.ts';
import type { Keys } from './join.ts';
import type { IncidentState } from './state.ts';

/** What fails; or why Notif itself can't say what does. */
export type IncidentKind = 'failures' | 'unreadable' | 'slow' | 'not-running' | 'silence';

/** How an outbreak ended: it was delivered again, by a person's word, without a proof, or as a part of another incident. */
export type Ending = 'recovered' | 'resolved' | 'unconfirmed' | 'continued';

export const StoredVerdict = z.enum(RECORDED_VERDICTS);

type Judged = Pick<Failure, 'channel' | 'provider' | 'isTest' | 'verdict'>;

/** Where an incident's failures are. */
export function judgedAs({ channel, provider, isTest, verdictClass }: JudgedRow): Judged {
  return { channel, provider, isTest, verdict: verdictClass === 'announced' ? 'failed' : verdictClass };
}
interface JudgedRow extends Omit<Judged, 'verdict'> {
  verdictClass: VerdictClass;
}

/** What the catalog says of a cause; a null headline means that nothing explains it. */
export interface Explanation {
  headline: string | null;
  whose: string | null;
}

export function explanationBy(explainCause: ExplainCause, failure: Failure): Explanation {
  const { headline = null, whose = null } = explainCause(failure).entry ?? {};
  return { headline, whose };
}

/** Wordings of one explained cause at one place share its key: in another language, it is the same incident. */
export function keysOf(
  environment: string,
  failure: Judged & Pick<Failure, 'cause'>,
  { headline, whose }: Explanation,
): Keys {
  const wordingKey = wordingKeyOf(environment, failure);
  return { wordingKey, key: headline === null ? wordingKey : hashOfPlace(environment, failure, [headline, whose]) };
}

export const wordingKeyOf = (environment: string, failure: Judged & Pick<Failure, 'cause'>): string =>
  hashOfPlace(environment, failure, failure.cause.key);

function hashOfPlace(environment: string, { channel, provider, isTest, verdict }: Judged, cause: unknown): string {
  return hashOf(JSON.stringify([environment, channel, provider, cause, verdictClassOf(verdict), isTest]), 16);
}

export type StateNow =
  | { is: 'firing' }
  | { is: 'recovering' | 'unconfirmed'; since: Date }
  | { is: 'resolved'; at: Date; actor: string | null; ending?: Ending | null };

export const isFiring = ({ is }: { is: IncidentState }): boolean => is === 'firing';

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
  asOf: Date;
  state: StateNow;
  verdict: RecordedVerdict;
  failures: number;
  /** Over all outbreaks; null where a filter covers a part. */
  failuresInAll: number | null;
  subscribers: number;
  /** People can't be counted any more. */
  isAtLeast: boolean;
  critical: boolean;
  badness: Badness;
  /** The highest badness of its newest outbreak. */
  worst: Badness;
  /** Of a kind that leaves time unchecked, else null. */
  outage: Outage | null;
  example: { eventId: string | null; transactionId: string; subscriberId: string | null };
  workflows: readonly WorkflowShare[];
  moreWorkflows: number;
  /** Null: a row shows a part of its failures, or warnings. */
  attempts: Attempts | null;
  /** Deliveries since its last failure, while it may be recovering. */
  wentThrough: number;
  /** Its environment hasn't been read since. */
  staleSince: Date | null;
  shared: SharedLabel | null;
  changedBefore: readonly EnvironmentChange[];
  acknowledged: Pick<Note, 'actor' | 'at'> | null;
  /** The acknowledgment of the outbreak before. */
  formerly: Pick<Note, 'actor' | 'at'> | null;
  assignedTo: string | null;
  note: Note | null;
  earlierNote: Note | null;
  lastTime: { from: Date; note: Note } | null;
  /** The incident that it turned out to be one with. */
  continuedAs: number | null;
}

export interface Outage {
  /** Null once the environment can be read again. */
  problem: ServiceProblem | null;
  uncheckedSince: Date;
  gap: Gap | null;
}

export const refOf = ({ id: incidentId, code }: Pick<IncidentNow, 'id' | 'code'>): IncidentRef => ({
  incidentId,
  code,
});

type Ranked = Pick<IncidentNow, 'id' | 'isTest' | 'critical' | 'failures' | 'lastAt'> &
  Partial<Pick<IncidentNow, 'attempts'>>;

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
