import type { OperationName } from './operation-names.ts';
import type { Query } from './validation.ts';

export interface RecordedRequest {
  operation: OperationName;
  /** Milliseconds. */
  at: number;
  path: string;
  query: Query;
  /** The parsed body of a write. */
  body?: unknown;
  /** The idempotency key, if one was sent. */
  key?: string;
}

/** Older entries are dropped, so that a sandbox that runs for a week doesn't grow. */
const MOST_KEPT = 10_000;

/** The requests that arrived with a valid key, oldest first, whatever their outcome. */
export class RequestLog extends Array<RecordedRequest> {
  record(request: RecordedRequest): void {
    this.push(request);
    if (this.length > MOST_KEPT) this.shift();
  }

  count(operation: OperationName): number {
    return this.filter((request) => request.operation === operation).length;
  }

  clear(): void {
    this.length = 0;
  }
}
