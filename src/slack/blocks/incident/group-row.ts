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

/** What an answer says of the incident that a group belongs to; `hasActions`: they follow, the way to the example among them. */
export interface IncidentOfGroup {
  readonly lines: readonly Markup[];
  readonly hasActions: boolean;
}

/**
 * A group of failures as an answer shows it: what failed, why, what that means where it's known, how much of what, an example and the way
 * to it.
 */
export function groupRow(
  tally: GroupTally,
  share: Share | null,
  cause: ExplainedCause | null = null,
  incident: IncidentOfGroup | null = null,
): KnownBlock {
  const lines = [
    mrkdwn`${VERDICT_EMOJI[tally.verdict]} ${groupTitle(tally)}`,
    groupCause(tally),
    ...(cause === null ? [] : causeLine(cause)),
    joined(groupFacts(tally, share), ' · '),
    exampleLine(tally.example),
    ...(incident?.lines ?? []),
  ];
  const way = incident?.hasActions ? null : lookUpExample(tally);
  return section(joined(lines, '\n'), way ?? undefined);
}

/** [Look up] for the example of a group; null where its value would show a contact. */
export function lookUpExample(tally: GroupTally): Button | null {
  const request = exampleOf(tally.group.environment, tally.example);
  return isForEveryone(request) ? lookUpButtonFor(request, groupName(tally)) : null;
}

/** What to look up to see an example of a group. */
function exampleOf(environment: string, { eventId, transactionId }: Example): LookupRequest {
  return { environment, target: targetOf({ id: eventId, transactionId }) };
}
