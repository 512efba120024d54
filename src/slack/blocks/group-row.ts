import type { KnownBlock } from '@slack/types';
import type { Example, GroupTally } from '../../domain/failure.ts';
import { targetOf } from '../../domain/looked-up.ts';
import { describeDuration } from '../../domain/span.ts';
import { VERDICT_WORDS } from '../../domain/verdict.ts';
import { section } from './blocks.ts';
import { channelName, channelVia, providerName } from './channel-name.ts';
import { lookUpButton } from './lookup-button.ts';
import { code, joined, type Markup, mrkdwn, named, plural } from './text.ts';
import { time } from './times.ts';
import { capitalised, VERDICT_EMOJI } from './verdict-word.ts';

/**
 * A group of failures as a row: what failed, why, how much of what, an example and the way to it. `workflowEvents` is how many
 * events the workflow had in the same time; 0 where that is not known.
 */
export function groupRow(tally: GroupTally, workflowEvents: number): KnownBlock {
  const { group, example } = tally;
  const lines = [
    mrkdwn`${VERDICT_EMOJI[tally.verdict]} *${named(channelVia(group.channel, group.provider))} — ${named(workflowName(tally))}*${marks(tally)}`,
    mrkdwn`${capitalised(VERDICT_WORDS[tally.verdict])}: ${group.cause.text}`,
    joined(facts(tally, workflowEvents), ' · '),
    exampleLine(example),
  ];
  const request = {
    environment: group.environment,
    target: targetOf({ id: example.eventId, transactionId: example.transactionId }),
  };
  return section(joined(lines, '\n'), lookUpButton(request));
}

/** The same in half a sentence, for the spoken text: 'Email via SendGrid, order-shipped: 48 failed, mailbox full'. */
export function groupSentence({ group, failures, verdict }: GroupTally): Markup {
  const via = group.provider === null ? '' : ` via ${providerName(group.provider)}`;
  const workflow = group.workflow ?? 'a deleted workflow';
  return mrkdwn`${named(`${capitalised(channelName(group.channel))}${via}`)}, ${named(workflow)}: ${failures} ${VERDICT_WORDS[verdict]}, ${group.cause.text}`;
}

function workflowName({ group }: GroupTally): string {
  return group.workflow ?? group.workflowName ?? 'deleted workflow';
}

function marks({ critical, severity, group }: GroupTally): Markup {
  const words = [
    ...(group.isTest ? ['test'] : []),
    ...(critical ? ['critical'] : []),
    ...(severity === null || severity === 'none' ? [] : [`severity ${severity}`]),
  ];
  return joined(
    words.map((word) => mrkdwn` · ${named(word)}`),
    '',
  );
}

function facts(tally: GroupTally, workflowEvents: number): Markup[] {
  const { failures, events, subscribers, firstSeen, lastSeen, group } = tally;
  const lasted = lastSeen.getTime() - firstSeen.getTime();
  const share =
    workflowEvents > 0 && events <= workflowEvents
      ? [mrkdwn`${percent(events, workflowEvents)} of ${named(group.workflow ?? 'its workflow')}`]
      : [];
  return [
    lasted < 1000 ? plural(failures, 'failure') : mrkdwn`${plural(failures, 'failure')} in ${describeDuration(lasted)}`,
    ...share,
    plural(subscribers, 'subscriber'),
    lasted < 1000 ? time(firstSeen) : mrkdwn`${time(firstSeen)} – ${time(lastSeen)}`,
  ];
}

function exampleLine({ transactionId, subscriberId }: Example): Markup {
  return subscriberId === null
    ? mrkdwn`e.g. ${code(transactionId)}`
    : mrkdwn`e.g. ${code(transactionId)} for ${code(subscriberId)}`;
}

/** '12 %', '1.4 %', 'under 0.1 %': with as many digits as one reads at night. */
export function percent(part: number, whole: number): string {
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return 'under 0.1 %';
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}
