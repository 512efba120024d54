/** Whose events are listed. */
export interface EventOwner {
  readonly kind: 'subscriber' | 'email';
  readonly id: string;
}

/** A page of somebody's events, the newest first, created until `before` by our clock: it was asked for then. */
export interface EventListRequest {
  readonly environment: string;
  readonly owner: EventOwner;
  readonly before: Date;
  /** Counted from 0. */
  readonly page: number;
}

export const EVENTS_A_PAGE = 10;
