import type { Logger } from '../domain/logger.ts';
import { FOLLOW_MS } from '../use-cases/triggers/follow-trigger.ts';
import type { UnfinishedIntent } from '../use-cases/triggers/run-trigger.ts';
import type { Job } from './job.ts';

export interface ResumeTriggersParts {
  /** The intents claimed after a time whose end was not reported. */
  readonly unfinished: (newerThan: Date) => Promise<readonly UnfinishedIntent[]>;
  /** Takes one up again. */
  readonly resume: (unfinished: UnfinishedIntent, signal: AbortSignal) => Promise<void>;
  /** True where no other process can be at work on the same store: what is unfinished at the start is nobody's. */
  readonly isAlone: boolean;
  readonly logger: Logger;
  readonly now: () => Date;
}

const EVERY_SECONDS = 60;
const TIMEOUT_SECONDS = FOLLOW_MS / 1000 + 60;

/** The process that follows a trigger has reported its end by then; an intent that is still open after that is nobody's. */
const ABANDONED_AFTER_MS = FOLLOW_MS + 60_000;

/** Beyond that nobody waits for the end of a test. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;

/** Takes up the triggers whose process ended before it had reported how they went. Not retried: the next slot is. */
export function resumeTriggersJob(parts: ResumeTriggersParts): Job {
  let minimumAgeMs = parts.isAlone ? 0 : ABANDONED_AFTER_MS;
  return {
    name: 'resume-triggers',
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      const now = parts.now().getTime();
      const unfinished = await parts.unfinished(new Date(now - FORGOTTEN_AFTER_MS));
      const abandoned = unfinished.filter(({ claimedAt }) => now - claimedAt.getTime() >= minimumAgeMs);
      minimumAgeMs = ABANDONED_AFTER_MS;
      await Promise.all(abandoned.map((one) => resumeOne(one, signal, parts)));
    },
  };
}

async function resumeOne(one: UnfinishedIntent, signal: AbortSignal, parts: ResumeTriggersParts): Promise<void> {
  const fields = { intent: one.intent.id, environment: one.intent.environment };
  parts.logger.info(fields, 'trigger taken up again');
  try {
    await parts.resume(one, signal);
  } catch (error) {
    parts.logger.error({ ...fields, err: error }, 'trigger could not be taken up again');
  }
}
