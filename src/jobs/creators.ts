import type { BackgroundJob } from './job.ts';

/** Each creator is looked up once a day, or an hour after a failed lookup. */
const EVERY_SECONDS = 3600;
const TIMEOUT_SECONDS = 300;

export interface CreatorsParts {
  /** Looks up the creators of watches. Returns how many messages were written. */
  check(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}

/** Checks whether the creators of watches are still in the workspace. */
export function creatorsJob({ check, wakeDelivery }: CreatorsParts): BackgroundJob {
  return {
    name: 'creators',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await check(signal)) > 0) await wakeDelivery();
    },
  };
}
