import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Channels } from '../lib/workspace.ts';
import type { PostOutcome, Publisher } from '../outbox/kinds.ts';
import type { DoctorCtx } from './doctor.ts';
import { type Finding, problem } from './finding.ts';
import { tokenProblems } from './token-findings.ts';
import { channelFindings } from './watch-findings.ts';

interface SlackCheckCtx extends Pick<DoctorCtx, 'tokenChecks' | 'logger'> {
  channels: Pick<Channels, 'ask'>;
  digestChannel: () => Promise<string | null>;
  onRecovered: () => Promise<void>;
}

/** Slack's limit for the age of a signed request. */
const SIGNED_MS = 5 * MINUTE_MS;
/** Slack is asked every two minutes: two answers in a row are missing then. */
const LONGEST_SILENCE_MS = 5 * MINUTE_MS;
/** Twice the longest interval at which a post is tried again. */
const REFUSED_MS = 10 * MINUTE_MS;
const NEEDED_TO_POST = ['chat:write'];
const SILENT = problem("Slack doesn't answer.", 'Alerts are sent once it does.');

/** Asks Slack whether an alert could be posted, before the next one shows it. */
export interface SlackCheck {
  /** Why alerts can't be posted, or null. */
  trouble(): Finding | null;
  /** Notes what Slack refuses of what is posted. */
  watching<Content>(publisher: Publisher<Content>): Publisher<Content>;
  run(): Promise<void>;
}

export function createSlackCheck({
  tokenChecks,
  channels,
  digestChannel,
  logger,
  onRecovered,
}: SlackCheckCtx): SlackCheck {
  let trouble: Finding | null = null;
  /** Whether Slack didn't answer the last question. */
  let hasFailed = false;
  let refused: { finding: Finding; at: number } | null = null;
  let answeredAt = performance.now();

  async function findTrouble(): Promise<Finding | null> {
    const [tokenProblem = null] = tokenProblems(await tokenChecks.bot(), NEEDED_TO_POST, SIGNED_MS);
    answeredAt = performance.now();
    const channel = await digestChannel();
    if (tokenProblem !== null || channel === null) return tokenProblem;
    const findings = channelFindings(channel, await channels.ask(channel), true);
    return findings.find(({ is }) => is === 'problem') ?? null;
  }

  function noteRefusal(outcome: PostOutcome): void {
    if (outcome.is === 'posted') refused = null;
    if (outcome.is !== 'refused' || outcome.fix === null) return;
    const next = `${outcome.fix.charAt(0).toUpperCase()}${outcome.fix.slice(1)}.`;
    refused = { finding: problem(`Slack refuses posts with ${outcome.reason}.`, next), at: performance.now() };
  }

  return {
    trouble: () => {
      if (trouble !== null) return trouble;
      if (refused !== null && performance.now() - refused.at < REFUSED_MS) return refused.finding;
      return performance.now() - answeredAt > LONGEST_SILENCE_MS ? SILENT : null;
    },
    watching: <Content>(publisher: Publisher<Content>): Publisher<Content> => ({
      ...publisher,
      post: async (...given) => {
        const outcome = await publisher.post(...given);
        noteRefusal(outcome);
        return outcome;
      },
    }),
    async run() {
      try {
        const before = trouble;
        trouble = await findTrouble();
        const isBack = trouble === null && (before !== null || hasFailed);
        hasFailed = false;
        if (trouble !== null && trouble.what !== before?.what)
          logger.error({ trouble }, "Alerts can't be posted to Slack");
        if (!isBack) return;
        logger.info({}, 'Alerts can be posted to Slack again');
        await onRecovered();
      } catch (err) {
        hasFailed = true;
        logger.warn({ err }, "Slack didn't say whether alerts can be posted");
      }
    },
  };
}
