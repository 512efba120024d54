import type { ExecutionDetail } from '../service/event.ts';

type Sentence = Pick<ExecutionDetail, 'detail'>;

/** Field notes, verdict 'skipped by design'. Their status is Failed. Compared whole, without case and full stop. */
const SKIPPED_BY_CONDITION = new Set([
  'step was skipped based on steps conditions',
  'step was skipped based on step conditions',
  'step was filtered based on steps filters',
  'bridge execution skipped',
]);
const STOPPED_BY_FAILURE = new Set([
  'step was canceled because a previous step failed',
  'step was cancelled because a previous step failed',
]);

/** Also written about canceled push and chat steps, of which one provider has no address even if another one was tried and refused. */
const NOT_THE_RECIPIENT = new Set(['unexpected provider error', 'subscriber does not have an active integration']);

export function isSkippedByDesign(detail: Sentence): boolean {
  return SKIPPED_BY_CONDITION.has(sentenceOf(detail)) || isStoppedByFailure(detail);
}

export function isStoppedByFailure(detail: Sentence): boolean {
  return STOPPED_BY_FAILURE.has(sentenceOf(detail));
}

/** Returns whether a detail of a canceled step says that a provider or the setup failed, not that there is nothing to deliver to. */
export function isProviderOrSetup(detail: Sentence): boolean {
  return NOT_THE_RECIPIENT.has(sentenceOf(detail));
}

/** Returns whether a Success detail says that the message was sent, unlike those of its preparation: 'Message sent: apns'. */
export function isMessageSent(detail: Sentence): boolean {
  return /^message sent\b/.test(sentenceOf(detail));
}

function sentenceOf({ detail }: Sentence): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}
