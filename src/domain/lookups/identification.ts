import type { Environment } from '../environment.ts';
import type { NotificationId } from '../input/ids.ts';

export type IdKind = 'event' | 'transaction' | 'subscriber' | 'topic';

/** What an ID refers to in an environment. */
export interface IdMeaning {
  readonly environment: Environment;
  readonly kind: IdKind;
}

/** Everything that an ID refers to, when the environment asked first has no such event or transaction. */
export interface Identification {
  readonly target: NotificationId;
  /** The environment that was asked first. */
  readonly environment: Environment;
  /** Those of `environment` come first. */
  readonly meanings: readonly IdMeaning[];
  /** They didn't respond in time, so they may have it anyway. */
  readonly unchecked: readonly Environment[];
}
