import type { Button, KnownBlock } from '@slack/types';
import type { ExplainedCause } from '../../../domain/causes/explain-cause.ts';
import type { Example, GroupTally } from '../../../domain/failures/failure.ts';
import type { Share } from '../../../domain/failures/share.ts';
import { targetOf } from '../../../domain/lookups/looked-up.ts';
import { section } from '../blocks.ts';
import { isForEveryone, type LookupRequest, lookUpButtonFor } from '../buttons/lookup-button.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { causeLine } from './cause-words.ts';
import { exampleLine, groupCause, groupFacts, groupName, groupTitle } from './group-words.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

/** The part of an answer about a group's incident. `hasActions`: buttons follow, [Look up] for the example among them. */
export interface IncidentOfGroup {
  readonly lines: readonly Markup[];
  readonly hasActions: boolean;
}

/** Builds a group of failures in an answer: what failed, why, what that means if known, how much of what, an example and [Look up]. `asOf`: until when the answer was checked. */
export function groupRow(
  tally: GroupTally,
  share: Share | null,
  asOf: Date,
  cause: ExplainedCause | null = null,
  incident: IncidentOfGroup | null = null,
): KnownBlock {
  const lines = [
    mrkdwn`${VERDICT_EMOJI[tally.verdict]} ${groupTitle(tally)}`,
    groupCause(tally),
    ...(cause === null ? [] : causeLine(cause)),
    joined(groupFacts(tally, share, asOf), ' · '),
    exampleLine(tally.example),
    ...(incident?.lines ?? []),
  ];
  const way = incident?.hasActions ? null : lookUpExample(tally);
  return section(joined(lines, '\n'), way ?? undefined);
}

/** Builds [Look up] for a group's example. Null if its value would show a contact. */
export function lookUpExample(tally: GroupTally): Button | null {
  const request = exampleOf(tally.group.environment, tally.example);
  return isForEveryone(request) ? lookUpButtonFor(request, groupName(tally)) : null;
}

/** Returns the lookup of a group's example. */
function exampleOf(environment: string, { eventId, transactionId }: Example): LookupRequest {
  return { environment, target: targetOf({ id: eventId, transactionId }) };
}
