import type { ExecutionDetail, Job } from '../service/event.ts';

export function sentenceOf({ detail }: Pick<ExecutionDetail, 'detail'>): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}

/** These steps try one provider and device after the other. */
export function sendsToSeveral({ type }: Pick<Job, 'type'>): boolean {
  return type === 'push' || type === 'chat';
}

const SUMMARIES =
  /^(?:all|every) [\w-]+ (?:channels?|providers?|integrations?) failed\b|^there (?:was|were) one or more errors?\b/;

/** Repeats that something failed, and not what. */
export function isSummary(detail: ExecutionDetail): boolean {
  return SUMMARIES.test(sentenceOf(detail));
}

const SKIPS =
  /^(?:step was (?:skipped|filtered) based on steps? (?:conditions|filters)|bridge execution skipped|step was cancell?ed because a previous step failed)$/;

export function isSkip(detail: ExecutionDetail): boolean {
  return SKIPS.test(sentenceOf(detail));
}

const NO_ADDRESS = [
  /^subscriber (?:is )?missing (?:an? |any |its |the )?(?:e-?mail|phone|recipient|device|push|webhook|chat)\b/,
  /^subscriber (?:does not|doesn't) have (?:an? |any )?(?:e-?mail|phone|active channel|configured channel|device|push|webhook)/,
  /^subscriber credentials (?:is|are) missing\b/,
  /^webhook url for the chat channel is missing$/,
  /\b(?:no one|nobody|no subscriber|no recipient|no device)s? (?:has |have |is |are )?(?:opted in|subscribed)\b/,
];
const NO_INTEGRATION = /^subscriber (?:does not|doesn't) have an active integration$/;

/** Nothing to send to. An email or SMS without an active integration is the environment's lack, not the subscriber's. */
export function lacksAddress(detail: ExecutionDetail, job: Job): boolean {
  const sentence = sentenceOf(detail);
  if (NO_INTEGRATION.test(sentence)) return sendsToSeveral(job) && !detail.namesIntegration;
  return NO_ADDRESS.some((known) => known.test(sentence));
}

const NOT_THE_RECIPIENT = /^(?:unexpected provider error|provider is missing or not configured)$/;

/** Of a canceled step, which otherwise has nothing to send to. */
export function isNotTheRecipients(detail: ExecutionDetail): boolean {
  const sentence = sentenceOf(detail);
  return NO_INTEGRATION.test(sentence) || NOT_THE_RECIPIENT.test(sentence);
}

const UNSUBSCRIBED = /^(?:group[ _-]?)?(?:un-?subscribed?|list[ _-]?unsubscribe|subscription[ _-]?change)$/;
const COMPLAINED = /^(?:spam|spam[ _-]?reports?|spam[ _-]?complaints?|complain(?:t|ed)|abuse)$/;
/** 'reported - (complaint)', of the service; the event of a provider's webhook. */
const WEBHOOK_STATUS = / - \(([\w -]{1,40})\)$/;
const WEBHOOK_EVENT =
  /"(?:event|event[_-]?type|notification[_-]?type|record[_-]?type|type|status)"\s?:\s?"([\w -]{1,40})"/gi;
const LONGEST_READ = 8_000;

/** What a provider's webhook reports: an unsubscribe and a spam complaint prove that it was delivered. */
export function bounceOf(detail: ExecutionDetail): 'unsubscribed' | 'complained' | 'bounced' {
  const sentence = sentenceOf(detail);
  const events = [
    ...String(detail.raw ?? '')
      .slice(0, LONGEST_READ)
      .matchAll(WEBHOOK_EVENT),
  ].map(([, event = '']) => event);
  const said = [sentence, WEBHOOK_STATUS.exec(sentence)?.[1] ?? '', ...events].map((word) => word.trim().toLowerCase());
  if (said.some((word) => COMPLAINED.test(word))) return 'complained';
  return said.some((word) => UNSUBSCRIBED.test(word)) ? 'unsubscribed' : 'bounced';
}
