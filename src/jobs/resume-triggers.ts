import type { Logger } from '../domain/logger.ts';
import type { KeptTrigger } from '../domain/triggers/trigger.ts';
import { FOLLOW_MS } from '../use-cases/triggers/follow-trigger.ts';
import type { BackgroundJob } from './job.ts';

export interface ResumeTriggersParts {
  readonly unfinished: (newerThan: Date) => Promise<readonly KeptTrigger[]>;
  readonly resume: (unfinished: KeptTrigger, signal: AbortSignal) => Promise<void>;
  /**
   * When this process started, if no other can use the same store: what was claimed before is abandoned. People can send tests before the
   * job's first run. Null if others can.
   */
  readonly aloneSince: Date | null;
  readonly logger: Logger;
  readonly now: () => Date;
}

const EVERY_SECONDS = 60;
const TIMEOUT_SECONDS = FOLLOW_MS / 1000 + 60;

/** The process that follows a trigger has reported the outcome by then. An intent that is still open after that was abandoned. */
const ABANDONED_AFTER_MS = FOLLOW_MS + 60_000;

/** After this nobody waits for a test's outcome. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60_000;

export function resumeTriggersJob(parts: ResumeTriggersParts): BackgroundJob {
  let { aloneSince } = parts;
  return {
    name: 'resume-triggers',
    environment: null,
    everySeconds: EVERY_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    async run(signal) {
      const now = parts.now().getTime();
      const unfinished = await parts.unfinished(new Date(now - FORGOTTEN_AFTER_MS));
      const before = Math.max(now - ABANDONED_AFTER_MS, aloneSince?.getTime() ?? 0);
      const abandoned = unfinished.filter(({ claimedAt }) => claimedAt.getTime() <= before);
      aloneSince = null;
      await Promise.all(abandoned.map((one) => resumeOne(one, signal, parts)));
    },
  };
}

async function resumeOne(one: KeptTrigger, signal: AbortSignal, parts: ResumeTriggersParts): Promise<void> {
  const fields = { intent: one.intent.id, environment: one.intent.environment };
  parts.logger.info(fields, 'trigger taken up again');
  try {
    await parts.resume(one, signal);
  } catch (error) {
    parts.logger.error({ ...fields, err: error }, 'trigger could not be taken up again');
  }
}
