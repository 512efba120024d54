import type { Logger } from '../../domain/logger.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { KeptTrigger } from '../../domain/triggers/trigger.ts';
import { FOLLOW_MS } from './follow-trigger.ts';

export interface ResumeAbandonedParts {
  readonly unfinished: (newerThan: Date) => Promise<readonly KeptTrigger[]>;
  readonly resume: (unfinished: KeptTrigger, signal: AbortSignal) => Promise<void>;
  /**
   * When this process started, if no other can use the same store: what was claimed before is abandoned. People can send tests before the
   * first call. Null if others can.
   */
  readonly aloneSince: Date | null;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** The process that follows a trigger has reported the outcome by then. An intent that is still open after that was abandoned. */
const ABANDONED_AFTER_MS = FOLLOW_MS + MINUTE_MS;

/** Takes up what nobody follows. After a day nobody waits for a test's outcome. One that throws is logged and stops no other. */
export async function resumeAbandoned(parts: ResumeAbandonedParts): Promise<void> {
  const { unfinished, resume, aloneSince, logger, signal } = parts;
  const now = parts.now().getTime();
  const before = Math.max(now - ABANDONED_AFTER_MS, aloneSince?.getTime() ?? 0);
  const open = await unfinished(new Date(now - DAY_MS));
  const abandoned = open.filter(({ claimedAt }) => claimedAt.getTime() <= before);
  await Promise.all(
    abandoned.map(async (trigger) => {
      const fields = { intent: trigger.intent.id, environment: trigger.intent.environment };
      logger.info(fields, 'trigger taken up again');
      try {
        await resume(trigger, signal);
      } catch (err) {
        logger.error({ ...fields, err }, 'trigger could not be taken up again');
      }
    }),
  );
}
