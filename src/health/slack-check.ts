import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Channels } from '../lib/workspace.ts';
import { channelFindings, type DoctorCtx, tokenProblems } from './doctor.ts';
import { type Finding, problem } from './finding.ts';

interface SlackCheckCtx extends Pick<DoctorCtx, 'tokenChecks' | 'logger'> {
  channels: Pick<Channels, 'ask'>;
  digestChannel: string | null;
}

/** Beyond it, signed posts count as forged. */
const SIGNED_MS = 5 * MINUTE_MS;
const LONGEST_SILENCE_MS = 5 * MINUTE_MS;
const SILENT = problem("Slack doesn't answer.", 'Alerts are sent once it does.');

/** Whether an alert could be posted now. Without asking, only the next one would show that it can't. */
export function createSlackCheck({ tokenChecks, channels, digestChannel, logger }: SlackCheckCtx) {
  let found: Finding | null = null;
  // No clock that somebody can set.
  let answeredAt = performance.now();

  async function look(): Promise<Finding | null> {
    const token = tokenProblems(await tokenChecks.bot(), SIGNED_MS);
    answeredAt = performance.now();
    // A token that is refused can't ask for the channel.
    const isEnough = token.length > 0 || digestChannel === null;
    const findings = isEnough ? token : channelFindings(digestChannel, await channels.ask(digestChannel), true);
    return findings.find(({ is }) => is === 'problem') ?? null;
  }

  return {
    /** Null if it could. */
    trouble: (): Finding | null => {
      const isSilent = performance.now() - answeredAt > LONGEST_SILENCE_MS;
      return found ?? (isSilent ? SILENT : null);
    },
    async run(): Promise<void> {
      try {
        const before = found;
        found = await look();
        if (found !== null && found.what !== before?.what)
          logger.error({ trouble: found }, "Alerts can't be posted to Slack");
        if (found === null && before !== null) logger.info({}, 'Alerts can be posted to Slack again');
      } catch (err) {
        logger.warn({ err }, "Slack didn't say whether alerts can be posted");
      }
    },
  };
}
