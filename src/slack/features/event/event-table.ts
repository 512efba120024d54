import { decisiveFailure, type JudgedEvent } from '../../../judging/judge.ts';
import { targetOf } from '../../../lookups/event.ts';
import { OUTCOME_ORDER, type Outcome, outcomeOf } from '../../../lookups/outcome.ts';
import { eventKey } from '../../../service/event.ts';
import { lookUpText } from '../../kit/buttons.ts';
import type { CommandList } from '../../kit/list.ts';
import { OUTCOME_EMOJI, outcomeCount, outcomeWords } from '../../kit/outcomes.ts';
import { type Inserted, joined, type Line, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { failureText } from './step-reasons.ts';

const CELLS = {
  Subscriber: ({ event }: JudgedEvent) => event.subscriber?.subscriberId ?? event.id ?? '',
  Outcome: (judged: JudgedEvent) => joined([shownOutcome(judged), causeWords(judged)]),
  Workflow: ({ event }: JudgedEvent) => joined([event.workflow?.identifier ?? 'deleted workflow', event.transactionId]),
  When: ({ event }: JudgedEvent) => time(event.createdAt),
};

interface EventColumns {
  columns: readonly (keyof typeof CELLS)[];
  /** What stands beside the outcome of an event, by its key (`eventKey`). */
  remarks?: ReadonlyMap<string, Line>;
}

/** The rows of a list of events. */
export function eventTable(
  environment: string,
  events: readonly JudgedEvent[],
  { columns, remarks = new Map() }: EventColumns,
): Pick<CommandList, 'columns' | 'rows'> {
  const cellOf = (judged: JudgedEvent, column: keyof typeof CELLS): Inserted => {
    const cell = CELLS[column](judged);
    return column === 'Outcome' ? joined([cell, remarks.get(eventKey(judged.event)) ?? null]) : cell;
  };
  const rows = events.map((judged) => {
    const label = [shownOutcome(judged), judged.event.transactionId, CELLS.Subscriber(judged)].join(' · ');
    const command = lookUpText({ environment, target: targetOf(judged.event) });
    return { cells: columns.map((column) => cellOf(judged, column)), lookUp: [label, command] as const };
  });
  return { columns, rows };
}

export function causeWords({ judgment }: JudgedEvent): string {
  const failure = decisiveFailure(judgment);
  return failure === undefined ? '' : failureText(failure);
}

export function outcomeCounts(events: readonly JudgedEvent[]): Markup {
  const counts = OUTCOME_ORDER.map((outcome) => {
    const count = events.filter((event) => outcomeIn(event) === outcome).length;
    return count > 0 && mrkdwn`${OUTCOME_EMOJI[outcome]} ${outcomeCount(outcome, count)}`;
  });
  return joined(counts);
}

export const outcomeIn = ({ event, judgment }: JudgedEvent): Outcome => outcomeOf(event, judgment);
const shownOutcome = (judged: JudgedEvent): string =>
  `${OUTCOME_EMOJI[outcomeIn(judged)]} ${outcomeWords(outcomeIn(judged))}`;
