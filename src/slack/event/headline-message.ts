import { outcomeOf } from '../../domain/lookups/outcome.ts';
import type { SeenEvent } from '../../domain/lookups/seen.ts';
import { isDelivery } from '../../domain/service/event.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { firstOf } from '../blocks/first-of.ts';
import { channelName, channelVia } from '../blocks/incident/channel-name.ts';
import { capitalised, notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS } from '../blocks/incident/verdict-word.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn, named } from '../blocks/text.ts';

const MOST_CHANNELS = 8;

export function headlines(found: SeenEvent, audience: Audience): Markup[] {
  return [headline(found, audience), reasonLine(found), ...channelsLine(found)];
}

function headline({ environment, event, judgement }: SeenEvent, audience: Audience): Markup {
  const outcome = outcomeOf(event, judgement);
  const words = mrkdwn`${OUTCOME_EMOJI[outcome]} *${capitalised(OUTCOME_WORDS[outcome])}*`;
  return mrkdwn`${badge(environment)} · ${words} · ${subject(event, audience)}`;
}

function subject({ workflow, subscriber }: SeenEvent['event'], audience: Audience): Markup {
  const whom = subscriber === null ? mrkdwn`(no subscriber)` : mrkdwn`for ${idCode(subscriber.subscriberId, audience)}`;
  return mrkdwn`*${named(shownId(workflow?.identifier ?? 'deleted workflow', audience))}* ${whom}`;
}

function reasonLine({ event, judgement }: SeenEvent): Markup {
  if (outcomeOf(event, judgement) === 'not-shown') return mrkdwn`${capitalised(notShownReason(event))}.`;
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure === undefined) return mrkdwn`${capitalised(waitingFor(judgement) ?? judgement.reason)}.`;
  return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

function waitingFor({ verdict, steps }: SeenEvent['judgement']): string | null {
  const waiting = verdict === 'in-progress' ? steps.find(({ job }) => job.status === 'delayed') : undefined;
  return waiting === undefined ? null : `waiting at the ${channelName(waiting.job.type)} step`;
}

function channelsLine({ event, judgement }: SeenEvent): Markup[] {
  const sent = judgement.steps.filter(({ job }) => isDelivery(job));
  if (sent.length < 2) return [];
  const words = sent.map(
    (step) =>
      `${channelName(step.job.type)} ${step.job.status === 'merged' ? 'merged' : OUTCOME_WORDS[outcomeOf(event, step)]}`,
  );
  const names = words.map((word, index) => named(index === 0 ? capitalised(word) : word));
  return [joined(firstOf(names, MOST_CHANNELS), ' · ')];
}
