import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Failure } from '../judging/failure.ts';
import { type VerdictClass, verdictClassOf } from '../judging/verdict.ts';
import { hashOf } from '../lib/text/hash.ts';
import type { IncidentRow } from './tables.ts';

/** What makes failures one incident, as hashes (`keysOf`). */
export interface Keys {
  /** Of the explained cause, or of the wording where nothing explains it. */
  key: string;
  /** Of the sentence and code. */
  wordingKey: string;
}

/** Where a failure is, and of what class. */
type Judged = Pick<Failure, 'channel' | 'provider' | 'isTest' | 'verdict'>;

/** Where an incident's failures are. Any verdict of its class has the same key. */
export function judgedAs({
  channel,
  provider,
  isTest,
  verdictClass,
}: Omit<Judged, 'verdict'> & { verdictClass: VerdictClass }): Judged {
  return { channel, provider, isTest, verdict: verdictClass === 'announced' ? 'failed' : verdictClass };
}

/** What the catalog says of a cause; a null headline means that nothing explains it. */
export interface Explanation {
  headline: string | null;
  /** Whose trouble it is. */
  whose: string | null;
}

type Explained = Pick<IncidentRow, 'headline' | 'isRecipientFault' | 'isFaultUnknown'>;

export function explanationBy(explainCause: ExplainCause, caused: Parameters<ExplainCause>[0]): Explanation {
  const { headline = null, whose = null } = explainCause(caused).entry ?? {};
  return { headline, whose };
}

/** The columns of an incident that say what explains it. */
export const explainedAs = ({ headline, whose }: Explanation): Explained => ({
  headline,
  isRecipientFault: whose === 'recipient',
  isFaultUnknown: whose === 'unknown',
});

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
