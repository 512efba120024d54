import { systemCode } from '../lib/text/system-code.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Channels } from '../lib/workspace.ts';
import { clockWords, type DoctorCtx, type TokenCheck } from './doctor.ts';

interface SlackCheckCtx extends Pick<DoctorCtx, 'tokenChecks' | 'logger'> {
  channels: Pick<Channels, 'ask'>;
  digestChannel: string | null;
}

/** Beyond it, signed posts count as forged. */
const SIGNED_MS = 5 * MINUTE_MS;
const LONGEST_SILENCE_MS = 5 * MINUTE_MS;

/** Whether an alert could be posted now. Without asking, only the next one would show that it can't. */
export function createSlackCheck({ tokenChecks, channels, digestChannel, logger }: SlackCheckCtx) {
  let found: string | null = null;
  // No clock that somebody can set.
  let answeredAt = performance.now();

  async function look(): Promise<string | null> {
    const token = await tokenChecks.bot();
    const isUnusable = token.is === 'refused' || Math.abs(token.clockAheadMs ?? 0) >= SIGNED_MS;
    if (isUnusable) return tokenWords(token);
    if (digestChannel === null) return null;
    const channel = await channels.ask(digestChannel);
    if (channel?.isMember && !channel.isArchived) return null;
    const what = channel?.isArchived ? 'is archived' : "is gone, or Notif isn't in it";
    return `The channel of NOTIF_DIGEST_CHANNEL ${what}`;
  }

  return {
    /** Null if it could. */
    trouble: (): string | null => {
      const isSilent = performance.now() - answeredAt > LONGEST_SILENCE_MS;
      return found ?? (isSilent ? "Slack doesn't answer" : null);
    },
    async run(): Promise<void> {
      try {
        const before = found;
        found = await look();
        answeredAt = performance.now();
        if (found !== null && found !== before) logger.error({ trouble: found }, "Alerts can't be posted to Slack");
        if (found === null && before !== null) logger.info({}, 'Alerts can be posted to Slack again');
      } catch (error) {
        logger.warn({ code: systemCode(error) }, "Slack didn't say whether alerts can be posted");
      }
    },
  };
}

function tokenWords(token: TokenCheck): string {
  if (token.is === 'refused') return `Slack refuses ${token.variable} (${token.word}): ${token.next}`;
  const words = clockWords("Notif's clock", "Slack's", -(token.clockAheadMs ?? 0));
  return `${words}: set it by a time server (NTP)`;
}
