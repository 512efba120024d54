import type { ExecutionDetail, Job } from '../service/event.ts';

export function sentenceOf({ detail }: Pick<ExecutionDetail, 'detail'>): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}

export function sendsToSeveral({ type }: Pick<Job, 'type'>): boolean {
  return type === 'push' || type === 'chat';
}

const SUMMARIES =
  /^(?:all|every) [\w-]+ (?:channels?|providers?|integrations?) failed\b|^there (?:was|were) one or more errors?\b/;

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

/** An email or SMS without an active integration is the environment's fault, not the subscriber's. */
export function lacksAddress(detail: ExecutionDetail, job: Job): boolean {
  const sentence = sentenceOf(detail);
  if (NO_INTEGRATION.test(sentence)) return sendsToSeveral(job) && !detail.namesIntegration;
  return NO_ADDRESS.some((known) => known.test(sentence));
}

const NOT_THE_RECIPIENT = /^(?:unexpected provider error|provider is missing or not configured)$/;

export function isNotRecipientFault(detail: ExecutionDetail): boolean {
  const sentence = sentenceOf(detail);
  return NO_INTEGRATION.test(sentence) || NOT_THE_RECIPIENT.test(sentence);
}

const UNSUBSCRIBED = /^(?:group[ _-]?)?(?:un-?subscribed?|list[ _-]?unsubscribe|subscription[ _-]?change)$/;
const COMPLAINED = /^(?:spam|spam[ _-]?reports?|spam[ _-]?complaints?|complain(?:t|ed)|abuse)$/;
const WEBHOOK_STATUS = / - \(([\w -]{1,40})\)$/;
const WEBHOOK_EVENT =
  /"(?:event|event[_-]?type|notification[_-]?type|record[_-]?type|type|status)"\s?:\s?"([\w -]{1,40})"/gi;
const LONGEST_READ = 8_000;

/** An unsubscribe and a spam complaint prove that the message was delivered. */
export function bounceOf(detail: ExecutionDetail): 'unsubscribed' | 'complained' | 'bounced' {
  const sentence = sentenceOf(detail);
  const raw = String(detail.raw ?? '').slice(0, LONGEST_READ);
  const events = [...raw.matchAll(WEBHOOK_EVENT)].map(([, event = '']) => event);
  const said = [sentence, WEBHOOK_STATUS.exec(sentence)?.[1] ?? '', ...events].map((word) => word.trim().toLowerCase());
  if (said.some((word) => COMPLAINED.test(word))) return 'complained';
  return said.some((word) => UNSUBSCRIBED.test(word)) ? 'unsubscribed' : 'bounced';
}
