import type { JudgedEvent } from '../judging/judge.ts';
import type { FreeText } from '../lib/text/scrub.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import type { Job, TriggeredEvent } from '../service/event.ts';

/** What a provider or the service said of a step, as it came. */
export interface Answer {
  channel: string;
  provider: string | null;
  at: Date | null;
  said: FreeText;
}

const SAID = new Set(['Failed', 'Warning']);

export const answersIn = ({ jobs }: TriggeredEvent): Answer[] => jobs.flatMap(answersOf);

function answersOf({ type: channel, provider: selected, details }: Job): Answer[] {
  return details
    .filter(({ status, source }) => SAID.has(status) || source === 'Webhook')
    .map(({ provider, createdAt: at, raw, detail }) => ({
      channel,
      provider: provider ?? selected,
      at,
      said: raw ?? detail,
    }));
}

/** What a provider can look up in its own logs. */
export interface ProviderIds {
  messages: readonly string[];
  requests: readonly string[];
}

/** 'x-request-id', 'traceId', 'CF-RAY' */
const REQUEST_ID = /\b(?:x[_-])?(?:(?:request|trace|correlation)[_-]?id|cf[_-]ray)(?![A-Za-z])/gi;
/** 'message_id', 'sg_message_id', 'sid' */
const MESSAGE_ID = /(?<![A-Za-z])(?:(?:\w{1,10}_)?(?:message|msg|mail)[_-]?(?:u?id|uuid)|sid)(?![A-Za-z])/gi;
/** `": "SM1f0a9c17`: an ID with letters and digits. Bounded: an answer can be of quotes alone. */
const VALUE = /^["'\\]{0,9}\s*(?:[:=]\s*)?["'\\]{0,9}<?((?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[\w.-]{8,100})/;

/** What VALUE can match: quotes, blanks and an ID of a hundred characters. */
const LONGEST_VALUE = 120;

/** A number or a name alone could be somebody's. */
export function providerIdsIn(texts: readonly FreeText[]): ProviderIds {
  const found = (name: RegExp) =>
    texts.flatMap((text) => {
      const words = text.forOperators();
      return [...words.matchAll(name)].flatMap(({ 0: { length }, index }) => {
        const following = words.slice(index + length, index + length + LONGEST_VALUE);
        return VALUE.exec(following)?.[1] ?? [];
      });
    });
  return { messages: [...new Set(found(MESSAGE_ID))], requests: [...new Set(found(REQUEST_ID))] };
}

export interface ProviderAnswer extends Answer, ProviderIds {
  /** The provider's, with which a cause ends: `21610` of "Unsubscribed recipient (21610)". */
  code: string | null;
}

/** What was answered at the steps at which an event failed at a provider. A bounce's message is named by the step's earlier answers. */
export function answersAbout(
  { event, judgment }: JudgedEvent,
  { channel, provider }: { channel: string; provider: string | null },
): ProviderAnswer[] {
  const failed = judgment.failures.filter((failure) => failure.channel === channel && failure.provider === provider);
  return event.jobs.flatMap((job) => {
    const failure = failed.find(({ jobId }) => jobId === boundedId(job.id));
    if (failure === undefined) return [];
    const ids = providerIdsIn(job.details.flatMap(({ detail, raw }) => [detail, raw ?? []].flat()));
    const code = /\(([^()\s]+)\)$/.exec(failure.cause.text)?.[1] ?? null;
    return answersOf(job).map((answer) => ({ ...answer, provider, ...ids, code }));
  });
}
