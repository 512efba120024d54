import type { PostOutcome, Publisher } from '../digests/deliver.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Channels } from '../lib/workspace.ts';
import { channelFindings, type DoctorCtx, scopeProblems, tokenProblems } from './doctor.ts';
import { type Finding, problem } from './finding.ts';

interface SlackCheckCtx extends Pick<DoctorCtx, 'tokenChecks' | 'logger'> {
  channels: Pick<Channels, 'ask'>;
  digestChannel: string | null;
  onRecovered: () => Promise<void>;
}

/** Beyond it, signed posts count as forged. */
const SIGNED_MS = 5 * MINUTE_MS;
const LONGEST_SILENCE_MS = 5 * MINUTE_MS;
/** A post is tried again twice as often. */
const REFUSED_MS = 10 * MINUTE_MS;
const NEEDED_TO_POST = ['chat:write'];
const SILENT = problem("Slack doesn't answer.", 'Alerts are sent once it does.');

/** Whether an alert could be posted now. Without asking, only the next one would show that it can't. */
export function createSlackCheck({ tokenChecks, channels, digestChannel, logger, onRecovered }: SlackCheckCtx) {
  let found: Finding | null = null;
  let isAway = false;
  /** What the newest post met. */
  let refused = { finding: SILENT, at: -Infinity };
  // No clock that somebody can set.
  let answeredAt = performance.now();

  async function look(): Promise<Finding | null> {
    const check = await tokenChecks.bot();
    const token = [...scopeProblems(check, NEEDED_TO_POST), ...tokenProblems(check, SIGNED_MS)];
    answeredAt = performance.now();
    // A token that is refused can't ask for the channel.
    const isEnough = token.length > 0 || digestChannel === null;
    const findings = isEnough ? token : channelFindings(digestChannel, await channels.ask(digestChannel), true);
    return findings.find(({ is }) => is === 'problem') ?? null;
  }

  function note(outcome: PostOutcome): void {
    if (outcome.is === 'posted') refused.at = -Infinity;
    if (outcome.is !== 'refused' || outcome.fix === null) return;
    const next = `${outcome.fix.charAt(0).toUpperCase()}${outcome.fix.slice(1)}.`;
    refused = { finding: problem(`Slack refuses posts with ${outcome.reason}.`, next), at: performance.now() };
  }

  return {
    /** Null if it could. */
    trouble: (): Finding | null => {
      const isSilent = performance.now() - answeredAt > LONGEST_SILENCE_MS;
      const isRefused = performance.now() - refused.at < REFUSED_MS;
      return found ?? (isRefused ? refused.finding : isSilent ? SILENT : null);
    },
    watching: (publisher: Publisher): Publisher => ({
      ...publisher,
      post: async (...given) => {
        const outcome = await publisher.post(...given);
        note(outcome);
        return outcome;
      },
    }),
    async run(): Promise<void> {
      try {
        const before = found;
        found = await look();
        const isBack = found === null && (before !== null || isAway);
        isAway = false;
        if (found !== null && found.what !== before?.what)
          logger.error({ trouble: found }, "Alerts can't be posted to Slack");
        if (isBack) logger.info({}, 'Alerts can be posted to Slack again');
        if (isBack) await onRecovered();
      } catch (err) {
        isAway = true;
        logger.warn({ err }, "Slack didn't say whether alerts can be posted");
      }
    },
  };
}
