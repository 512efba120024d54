import type { Failure } from './failure.ts';

/** Which failures are asked for. An empty list asks for all. */
export interface FailureFilter {
  /** Identifiers or names, as people type them. */
  readonly workflows: readonly string[];
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  readonly subscribers: readonly string[];
  readonly severities: readonly string[];
  readonly transactions: readonly string[];
}

export const ALL_FAILURES: FailureFilter = {
  workflows: [],
  channels: [],
  providers: [],
  subscribers: [],
  severities: [],
  transactions: [],
};

/** Whether a failure is among those asked for. Workflows, channels, providers and severities are compared without case. */
export function matches(failure: Failure, filter: FailureFilter): boolean {
  return (
    isAmong([failure.workflow, failure.workflowName], filter.workflows) &&
    isAmong([failure.channel], filter.channels) &&
    isAmong([failure.provider], filter.providers) &&
    isAmong([failure.severity], filter.severities) &&
    isExactlyAmong(failure.subscriberId, filter.subscribers) &&
    isExactlyAmong(failure.transactionId, filter.transactions)
  );
}

function isAmong(values: readonly (string | null)[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  return wanted.some((want) => values.some((value) => value?.toLowerCase() === want.toLowerCase()));
}

function isExactlyAmong(value: string | null, wanted: readonly string[]): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value));
}
