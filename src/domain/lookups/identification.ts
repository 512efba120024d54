import type { Environment } from '../environment.ts';
import type { NotificationId } from '../input/ids.ts';

export type IdKind = 'event' | 'transaction' | 'subscriber' | 'topic';

/** What an ID names in an environment. */
export interface IdMeaning {
  readonly environment: Environment;
  readonly kind: IdKind;
}

/** All that an ID names, where no event and no transaction of the environment that was asked first has it. */
export interface Identification {
  readonly target: NotificationId;
  /** The environment that was asked first. */
  readonly environment: Environment;
  /** Those of `environment` come first. */
  readonly meanings: readonly IdMeaning[];
  /** They didn't answer, or not in time, so they may have it anyway. */
  readonly unchecked: readonly Environment[];
}
