import { PlannedFaults } from '../planned-faults.ts';
import { type ApiError, usualRefusal } from './api-error.ts';
import type { OperationName } from './operations.ts';

export type Fault =
  | { kind: 'hang' }
  | { kind: 'slow'; ms: number }
  | StatusFault
  | { kind: 'html'; status: number }
  /** Answers with this body, whatever it is: another system's page, or more than the service should reveal. */
  | { kind: 'body'; status: number; body: string; contentType?: string }
  /** Breaks the connection before the request is handled. */
  | { kind: 'reset' }
  /** Handles the request and breaks the connection instead of answering. */
  | { kind: 'lost answer' };

/** Refuses in the service's own words. A 500 has an errorId; a 429 has a retry time: by default 0 seconds, and 2 for a trigger. */
interface StatusFault {
  kind: 'status';
  status: number;
  retryAfterSeconds?: number;
}

export class Faults extends PlannedFaults<OperationName | 'all', Fault> {
  /** Gives the next `times` requests (default: all) this fault. The returned function removes only this one. */
  set(operation: OperationName | 'all', fault: Fault, { times = Number.POSITIVE_INFINITY } = {}): () => void {
    return this.plan(operation, fault, times);
  }

  take(operation: OperationName): Fault | undefined {
    return this.takeFor(operation, 'all');
  }
}

export function plannedRefusal({ status, retryAfterSeconds }: StatusFault, operation: OperationName): ApiError {
  if (retryAfterSeconds !== undefined || status !== 429) return usualRefusal(status, retryAfterSeconds);
  return usualRefusal(status, operation === 'triggerEvents' ? 2 : 0);
}
