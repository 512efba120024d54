import type { Job } from './job.ts';

/** Each creator is looked up once a day; who could not be, an hour later. */
const EVERY_SECONDS = 3600;
const TIMEOUT_SECONDS = 300;

export interface CreatorsParts {
  /** Looks up who made watches, and returns how many messages were written down. */
  check(signal: AbortSignal): Promise<number>;
  wakeDelivery(): Promise<void>;
}

/** Whether those who made watches are still there. */
export function creatorsJob({ check, wakeDelivery }: CreatorsParts): Job {
  return {
    name: 'creators',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      if ((await check(signal)) > 0) await wakeDelivery();
    },
  };
}
