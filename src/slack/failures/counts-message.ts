import type { KnownBlock } from '@slack/types';
import { severityRank } from '../../domain/failures/failure.ts';
import type { FailureSummary } from '../../domain/failures/tally.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, VERDICT_WORDS } from '../../domain/failures/verdict.ts';
import { context } from '../blocks/blocks.ts';
import { countedLine } from '../blocks/incident/counted-line.ts';
import { VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';

/** Builds the lines above the rows: failures by verdict and by severity, and what is only counted. */
export function countLines(summary: FailureSummary): KnownBlock[] {
  const lines = [verdicts(summary), severities(summary), counted(summary)].filter((line) => line !== null);
  return lines.length === 0 ? [] : [context(...lines)];
}

function verdicts({ counts }: FailureSummary): Markup | null {
  const present = ANNOUNCED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  if (present.length === 0) return null;
  return joined(
    present.map((verdict) => mrkdwn`${VERDICT_EMOJI[verdict]} ${counts[verdict] ?? 0} ${VERDICT_WORDS[verdict]}`),
    ' · ',
  );
}

/** Counts events by severity, the most severe first. */
function severities({ bySeverity, critical }: FailureSummary): Markup | null {
  const sorted = [...bySeverity].sort(([a], [b]) => severityRank(a) - severityRank(b));
  const parts = [
    ...(critical > 0 ? [mrkdwn`${critical} critical`] : []),
    ...sorted.map(([severity, events]) => mrkdwn`${events} of severity ${severity}`),
  ];
  return parts.length === 0 ? null : mrkdwn`Events: ${joined(parts, ' · ')}`;
}

function counted({ counts }: FailureSummary): Markup | null {
  return COUNTED_VERDICTS.some((verdict) => (counts[verdict] ?? 0) > 0) ? countedLine(counts) : null;
}
