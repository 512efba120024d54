import type { Button, KnownBlock } from '@slack/types';
import type { Example, GroupTally } from '../../domain/failure.ts';
import { targetOf } from '../../domain/looked-up.ts';
import { section } from './blocks.ts';
import { exampleLine, groupCause, groupFacts, groupName, groupTitle } from './group-words.ts';
import { type LookupRequest, lookUpButtonFor } from './lookup-button.ts';
import { joined, mrkdwn } from './text.ts';
import { VERDICT_EMOJI } from './verdict-word.ts';

/**
 * A group of failures as an answer shows it: what failed, why, how much of what, an example and the way to it. `workflowEvents` is
 * how many events the workflow had in the same time; 0 where that is not known.
 */
export function groupRow(tally: GroupTally, workflowEvents: number): KnownBlock {
  const lines = [
    mrkdwn`${VERDICT_EMOJI[tally.verdict]} ${groupTitle(tally)}`,
    groupCause(tally),
    joined(groupFacts(tally, workflowEvents), ' · '),
    exampleLine(tally.example),
  ];
  return section(joined(lines, '\n'), lookUpExample(tally));
}

/** [Look up] for the example of a group. */
export function lookUpExample(tally: GroupTally): Button {
  return lookUpButtonFor(exampleOf(tally.group.environment, tally.example), groupName(tally));
}

/** What to look up to see an example of a group. */
function exampleOf(environment: string, { eventId, transactionId }: Example): LookupRequest {
  return { environment, target: targetOf({ id: eventId, transactionId }) };
}
