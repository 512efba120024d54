import { changesKind } from '../alerts/changes.ts';
import { createDigestKind } from '../alerts/digest.ts';
import { lineKind } from '../alerts/lines.ts';
import { personalKind } from '../alerts/people.ts';
import { renamedKind } from '../alerts/renamed.ts';
import { watchEndedKind } from '../alerts/watch-end.ts';
import type { Kinds } from '../outbox/kinds.ts';
import { createSummaryKind } from '../reports/summary.ts';
import { createWeeklyKind } from '../reports/weekly.ts';
import { sendingKind } from '../sendings/progress.ts';
import type { Content } from '../slack/features/posts/content.ts';
import type { MentionCtx } from '../watches/mentioned.ts';

export type { Content };

/** Who owns each kind of message. */
export function createKinds(ctx: MentionCtx & { now: () => Date; retentionDays: number }): Kinds<Content> {
  return {
    digest: createDigestKind(ctx),
    line: lineKind,
    personal: personalKind,
    changes: changesKind,
    'watch-ended': watchEndedKind,
    renamed: renamedKind,
    summary: createSummaryKind(ctx.now),
    weekly: createWeeklyKind(ctx),
    sending: sendingKind,
  };
}
