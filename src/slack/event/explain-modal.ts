import type { KnownBlock, ModalView } from '@slack/types';
import { explainedDetail } from '../../domain/causes/step-causes.ts';
import { causeOf } from '../../domain/failures/cause.ts';
import type { StepJudgement } from '../../domain/failures/judge.ts';
import type { SeenEvent } from '../../domain/lookups/seen.ts';
import { hidesOutcome } from '../../domain/service/event.ts';
import { section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { causeLines } from '../blocks/incident/cause-words.ts';
import { notShownReason } from '../blocks/incident/verdict-word.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { resultView } from '../blocks/view.ts';
import { eventTitle } from './headline-message.ts';
import { stepName } from './timeline-message.ts';

export const EXPLAIN_TITLE = 'Explain';

/** Explains each step of an event that failed or was undeliverable: its error, what it means, whose problem it is and what to do. */
export function explainedView(found: SeenEvent): ModalView {
  const rows = found.judgement.steps.flatMap((step) => stepRow(step, found));
  const title = section(eventTitle(found, 'requester'));
  const { blocks } = fitCount(rows.length, (shown) => [
    title,
    ...(rows.length === 0 ? [section(noFailure(found))] : []),
    ...rows.slice(0, shown),
    ...(shown < rows.length ? [section(mrkdwn`${plural(rows.length - shown, 'more step')} failed`)] : []),
  ]);
  return resultView({ blocks }, EXPLAIN_TITLE);
}

function noFailure({ event }: SeenEvent): Markup {
  return hidesOutcome(event)
    ? mrkdwn`No step of this event is shown as failed, but ${notShownReason(event)}.`
    : mrkdwn`No step of this event has failed.`;
}

function stepRow({ job }: StepJudgement, { causes }: SeenEvent): KnownBlock[] {
  const cause = causes.get(job.id);
  const detail = explainedDetail(job);
  if (cause === undefined || detail === undefined) return [];
  return [section(joined([mrkdwn`*${stepName(job)}*: ${causeOf(detail).text}`, ...causeLines(cause)], '\n'))];
}
