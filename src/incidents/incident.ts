import { z } from 'zod';
import { type Failure, verdictClassOf } from '../failures/judge.ts';
import { RECORDED_VERDICTS } from '../failures/verdict.ts';
import type { IncidentRef } from '../lib/input/typed-values.ts';
import { hashOf } from '../lib/text/hash.ts';
import type { incidentFrom } from './incidents-now.ts';
import type { IncidentState } from './state.ts';
import type { incidents } from './tables.ts';

export type IncidentRow = typeof incidents.$inferSelect;

export const StoredVerdict = z.enum(RECORDED_VERDICTS);

type Kind = Pick<Failure, 'channel' | 'provider' | 'cause' | 'isTest' | 'verdict'>;

export function keyOf(environment: string, { channel, provider, cause, isTest, verdict }: Kind) {
  const identity = JSON.stringify([environment, channel, provider, cause.key, verdictClassOf(verdict), isTest]);
  return hashOf(identity, 16);
}

export type StateNow =
  | { is: 'firing' }
  | { is: 'recovering' | 'unconfirmed'; since: Date }
  | { is: 'resolved'; at: Date; actor: string | null };

export const isFiring = ({ is }: { is: IncidentState }) => is === 'firing';

export const NoteRow = z.object({ actor: z.string(), at: z.date(), text: z.string() });
export type Note = z.output<typeof NoteRow>;

export type IncidentNow = ReturnType<typeof incidentFrom>;

export const refOf = ({ id: incidentId, code }: Pick<IncidentNow, 'id' | 'code'>): IncidentRef => ({
  incidentId,
  code,
});

/** `problem` is null once the environment can be read again. */
export type Outage = NonNullable<IncidentNow['outage']>;

type Ranked = Pick<IncidentNow, 'id' | 'isTest' | 'critical' | 'failures' | 'lastAt'> &
  Partial<Pick<IncidentNow, 'attempts'>>;

export function compareIncidents(a: Ranked, b: Ranked) {
  return (
    Number(a.isTest) - Number(b.isTest) ||
    Number(b.critical) - Number(a.critical) ||
    Number(isAllFailing(b.attempts)) - Number(isAllFailing(a.attempts)) ||
    b.failures - a.failures ||
    b.lastAt.getTime() - a.lastAt.getTime() ||
    a.id - b.id
  );
}

export type Attempts = { since: Date; failed: number; tried: number };

/** Fewer attempts can all fail by chance. */
const FEWEST_TRIED = 5;

export const isAllFailing = (attempts: Attempts | null = null) =>
  attempts !== null && attempts.tried >= FEWEST_TRIED && attempts.failed >= attempts.tried;

const FEWEST_FOR_SHARE = 10;

const failsFor = (attempts: Attempts | null, tenths: number) =>
  attempts !== null && attempts.tried >= FEWEST_FOR_SHARE && attempts.failed * 10 >= attempts.tried * tenths;

export const failsForMany = (attempts: Attempts | null = null): boolean => failsFor(attempts, 1);
export const failsForNearlyAll = (attempts: Attempts | null = null): boolean =>
  isAllFailing(attempts) || failsFor(attempts, 9);

export interface WorkflowShare {
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  critical: boolean;
  attempts: Pick<Attempts, 'failed' | 'tried'> | null;
}
