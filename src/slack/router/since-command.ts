import { environmentNamed } from '../../lib/environment.ts';
import { parseTimeRange } from '../../lib/input/time-range.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import type { SlackCtx } from '../ctx.ts';
import { cursorNumber } from '../kit/buttons.ts';
import type { MessageContent } from '../kit/message.ts';
import type { Command, CommandLine } from './command.ts';

export interface SinceRequest {
  since: Date;
  /** An empty list means all. */
  environments: readonly string[];
  /** The page begins after the entry with this ID. */
  olderThan: number | null;
  page?: CommandLine['page'];
}

interface SinceCommand extends Pick<Command, 'word' | 'purpose' | 'usage' | 'about' | 'examples' | 'for'> {
  /** What `since:` is without being typed, back from now. */
  usualMs: number;
  answer: (request: SinceRequest, line: CommandLine) => Promise<MessageContent>;
}

/** A command that lists what was done since a time. */
export function sinceCommand(ctx: SlackCtx, { usualMs, answer, ...words }: SinceCommand): Command {
  return {
    ...words,
    filters: ['since', 'env'],
    follows: 'filters',
    environments: 'several',
    answer: (line) => answer(parseSince(line, ctx, usualMs), line),
  };
}

export function parseSince(
  { filters, timeZone, page }: CommandLine,
  { environments, retentionDays, now }: Pick<SlackCtx, 'environments' | 'retentionDays' | 'now'>,
  usualMs: number,
): SinceRequest {
  // A page's button repeats the time of its message, of whatever age.
  const maxDays = page === undefined ? Math.max(usualMs / DAY_MS, retentionDays) : Infinity;
  const { from } = parseTimeRange(filters, now(), { durationMs: usualMs, maxDays, timeZone });
  const named = new Set((filters.env ?? []).map((name) => environmentNamed(name, environments).name));
  return { since: from, environments: [...named], page, olderThan: cursorNumber(page) };
}
