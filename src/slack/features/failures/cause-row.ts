import type { KnownBlock } from '@slack/types';
import { type ExplainCause, errorOf } from '../../../causes/explain-cause.ts';
import { gravest, type Tally } from '../../../failures/failure.ts';
import { shareOfTally } from '../../../failures/summary.ts';
import { type FailureVerdict, isAnnounced, VERDICT_WORDS } from '../../../failures/verdict.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { FailuresFound } from '../../../lookups/failures.ts';
import { divider, section } from '../../kit/blocks.ts';
import { publishedAs } from '../../kit/for-everyone.ts';
import { causeLine } from '../../kit/incident/cause-words.ts';
import { incidentActions, lookUpExample } from '../../kit/incident/incident-row.ts';
import { peopleLine, stateLine } from '../../kit/incident/incident-words.ts';
import { causeWords, exampleLine, kindFacts, kindTitle, marks, workflowName } from '../../kit/incident/kind-words.ts';
import { channelVia, VERDICT_EMOJI } from '../../kit/incident/names.ts';
import { SECTION_TEXT } from '../../kit/limits.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';

const MOST_WORKFLOWS = 10;

export interface CauseOptions {
  readonly explainCause: ExplainCause;
  readonly incidents: ReadonlyMap<number, IncidentNow>;
}

/** They share channel, provider and cause. */
export type CauseTallies = readonly [Tally, ...Tally[]];

/** Of the announced failures and, if the filter names verdicts, of all that it found; the largest first. */
export function causesOf({ summary, filter }: Pick<FailuresFound, 'summary' | 'filter'>): readonly CauseTallies[] {
  const causes = new Map<string, [Tally, ...Tally[]]>();
  for (const tally of summary.tallies) {
    const { announcement, channel, provider, cause, isTest } = tally.kind;
    if (announcement !== 'announced' && filter.verdicts.length === 0) continue;
    const key = JSON.stringify([announcement, channel, provider, cause.key, isTest]);
    const known = causes.get(key);
    if (known === undefined) causes.set(key, [tally]);
    else known.push(tally);
  }
  return [...causes.values()];
}

function titleWord(verdict: FailureVerdict): string {
  if (isAnnounced(verdict)) return 'failed';
  return verdict === 'warning' ? 'warned' : VERDICT_WORDS[verdict];
}

export function causeRow(
  tallies: CauseTallies,
  { summary, read }: Pick<FailuresFound, 'summary' | 'read'>,
  { incidents, explainCause }: CauseOptions,
): KnownBlock[] {
  const [largest, ...others] = tallies;
  const verdict = gravest(tallies.map((tally) => tally.verdict));
  const incident = largest.incidentId === null ? undefined : incidents.get(largest.incidentId);
  const state = (now: IncidentNow, namesPeople: boolean) =>
    joined(
      [mrkdwn`Incident #${String(now.id)}`, ...stateLine(now, namesPeople), ...peopleLine(now, namesPeople)],
      ' · ',
    );
  const { channel, provider } = largest.kind;
  const title =
    others.length === 0
      ? kindTitle(largest)
      : mrkdwn`*${named(channelVia(channel, provider))} ${titleWord(verdict)} in ${plural(tallies.length, 'workflow')}*`;
  const workflows = tallies.slice(0, MOST_WORKFLOWS).map((tally) => {
    const facts = joined(kindFacts(tally, shareOfTally(summary, tally, read), read.to), ' · ');
    return others.length === 0 ? facts : mrkdwn`${named(workflowName(tally))}${marks(tally)}: ${facts}`;
  });
  const textOf = (namesPeople: boolean) =>
    fullest(workflows.length, (shown) => [
      mrkdwn`${VERDICT_EMOJI[verdict]} ${title}`,
      causeWords({ ...largest, verdict }),
      ...causeLine(explainCause(errorOf(largest.kind))),
      ...workflows.slice(0, shown),
      ...(tallies.length > shown ? [plural(tallies.length - shown, 'more workflow')] : []),
      exampleLine(largest.example),
      ...(incident === undefined ? [] : [state(incident, namesPeople)]),
    ]);
  const lookUp = incident === undefined ? lookUpExample(largest) : undefined;
  const actions = incident === undefined ? [] : [incidentActions({ ...incident, tally: largest }, null)];
  // In a new message a mention notifies.
  return [divider(), publishedAs(section(textOf(true), lookUp), section(textOf(false), lookUp)), ...actions];
}

/** With at least one workflow: a section that is cut loses the incident at its end. */
function fullest(most: number, linesOf: (shown: number) => readonly Markup[]): Markup {
  for (let shown = most; shown > 1; shown--) {
    const text = joined(linesOf(shown), '\n');
    if (`${text}`.length <= SECTION_TEXT) return text;
  }
  return joined(linesOf(1), '\n');
}
