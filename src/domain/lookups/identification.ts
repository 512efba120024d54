import type { Environment } from '../environment.ts';
import type { NotificationId } from '../input/ids.ts';

export type IdKind = 'event' | 'transaction' | 'subscriber' | 'topic';

export interface IdMeaning {
  readonly environment: Environment;
  readonly kind: IdKind;
}

export interface Identification {
  readonly target: NotificationId;
  readonly environment: Environment;
  /** Those of `environment` come first. */
  readonly meanings: readonly IdMeaning[];
  /** They didn't respond in time, so they may have it anyway. */
  readonly unchecked: readonly Environment[];
}
