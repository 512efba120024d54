import { VERDICT_WORDS } from '../../domain/failures/verdict.ts';
import type { SeenEvent } from '../../domain/lookups/seen.ts';
import { isDelivery } from '../../domain/service/event.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { capitalised, VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn, named } from '../blocks/text.ts';

const MOST_CHANNELS = 8;

/** Describes an event's outcome: the verdict, the reason, and each channel's outcome if there are several. */
export function headlines(found: SeenEvent, audience: Audience): Markup[] {
  return [headline(found, audience), reasonLine(found), ...channelsLine(found)];
}

/** 'production · order-shipped for user-0042' */
export function eventTitle({ environment, event }: SeenEvent, audience: Audience): Markup {
  return mrkdwn`${badge(environment)} · ${subject(event, audience)}`;
}

function headline({ environment, event, judgement }: SeenEvent, audience: Audience): Markup {
  const verdict = mrkdwn`${VERDICT_EMOJI[judgement.verdict]} *${capitalised(VERDICT_WORDS[judgement.verdict])}*`;
  return mrkdwn`${badge(environment)} · ${verdict} · ${subject(event, audience)}`;
}

function subject({ workflow, subscriber }: SeenEvent['event'], audience: Audience): Markup {
  const whom = subscriber === null ? mrkdwn`(no subscriber)` : mrkdwn`for ${idCode(subscriber.subscriberId, audience)}`;
  return mrkdwn`*${named(shownId(workflow?.identifier ?? 'deleted workflow', audience))}* ${whom}`;
}

/** Returns the first failure's cause or, if nothing failed, the reason for the verdict. */
function reasonLine({ judgement }: SeenEvent): Markup {
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure === undefined) return mrkdwn`${capitalised(waitingFor(judgement) ?? judgement.reason)}.`;
  return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

function waitingFor({ verdict, steps }: SeenEvent['judgement']): string | null {
  const waiting = verdict === 'in-progress' ? steps.find(({ job }) => job.status === 'delayed') : undefined;
  return waiting === undefined ? null : `waiting at the ${channelName(waiting.job.type)} step`;
}

/** 'In-app delivered · email failed' */
function channelsLine({ judgement }: SeenEvent): Markup[] {
  const sent = judgement.steps.filter(({ job }) => isDelivery(job));
  if (sent.length < 2) return [];
  const words = sent.map(
    ({ job, verdict }) => `${channelName(job.type)} ${job.status === 'merged' ? 'merged' : VERDICT_WORDS[verdict]}`,
  );
  const left = words.length - MOST_CHANNELS;
  const shown = words.slice(0, MOST_CHANNELS).map((word, index) => named(index === 0 ? capitalised(word) : word));
  return [joined([...shown, ...(left > 0 ? [mrkdwn`${left} more`] : [])], ' · ')];
}
