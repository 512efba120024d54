import type { ActionsBlockElement, Overflow } from '@slack/types';
import { z } from 'zod';
import type { Failure } from '../../../failures/failure.ts';
import { decisiveFailure, type JudgedEvent, type StepJudgement } from '../../../failures/judge.ts';
import { isAnnounced } from '../../../failures/verdict.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { dashboardLink } from '../../../lib/environment.ts';
import { type FoundEvent, targetOf } from '../../../lookups/event.ts';
import { OUTCOME_ORDER, outcomeOf } from '../../../lookups/outcome.ts';
import { channelName } from '../../../service/channels.ts';
import { hidesOutcome, isDelivery, type TriggeredEvent } from '../../../service/event.ts';
import { failedRequest } from '../../../service/problem-words.ts';
import { incidentOnCard } from '../../incident-view/incident-row.ts';
import {
  actions,
  button,
  context,
  dashboardButton,
  divider,
  folded,
  type LookupRequest,
  lineSections,
  lookUpButton,
  lookUpText,
  option,
  personal,
  publishedAs,
  SEND_AGAIN,
  section,
  shareButton,
  valueParser,
  writeLookup,
  writeValue,
} from '../../kit/blocks.ts';
import { fittingMessage } from '../../kit/message.ts';
import { badge, code, joined, listed, mrkdwn, named, plural, present } from '../../kit/text.ts';
import { capitalised, channelVia, explanationLines, OUTCOME_EMOJI, OUTCOME_WORDS } from '../../kit/words.ts';
import { detailLines, reasonOf, stepOutcome, storyLine, waitLine } from './timeline-message.ts';

export const DASHBOARD = 'event.dashboard';
export const MENU = 'event.menu';

export function eventCard(lookup: FoundEvent, incidents: readonly IncidentNow[]) {
  const failure = decisiveFailure(lookup.judgement);
  const cause = failure && lookup.causes.get(failure);
  const next = cause === undefined ? [] : explanationLines(cause).slice(-1);
  const { environment, event } = lookup;
  const { error } = lookup.messages;
  const lines = [
    headline(lookup),
    reasonLine(lookup, failure),
    ...next,
    hidesOutcome(event) && "⚠️ Incomplete: the answer doesn't show all its steps",
  ];
  const details = detailLines(lookup, failure);
  return fittingMessage(details.length, (shown) => {
    const left = details.length - shown;
    const more = left > 0 && mrkdwn`… and ${plural(left, 'more line')} in View raw and Messages`;
    return [
      section(lines),
      // It may have gone through since they counted it.
      ...(failure && isAnnounced(failure.verdict) ? incidents : []).map(incidentOnCard),
      divider(),
      section(storyLine(lookup)),
      context(who(event), error && mrkdwn`⚠️ Its messages are missing here. ${failedRequest(error, environment).what}`),
      mergedInto(lookup),
      ...actions(buttons(lookup)),
      folded('Details', lineSections([...details.slice(0, shown), more])),
    ];
  });
}

function headline(lookup: FoundEvent) {
  const { environment, event, judgement } = lookup;
  const emoji = OUTCOME_EMOJI[outcomeOf(event, judgement)];
  const workflow = named(event.workflow?.identifier ?? 'deleted workflow');
  const whom = event.subscriber === null ? '(no subscriber)' : mrkdwn`for ${code(event.subscriber.subscriberId)}`;
  return mrkdwn`${emoji} *${workflow}* ${whom}: ${outcomes(lookup)} · ${badge(environment)}`;
}

const AND = new Intl.ListFormat('en-GB');

/** 'email and SMS delivered, push failed' */
function outcomes({ event, judgement }: JudgedEvent) {
  const rank = (step: StepJudgement) => OUTCOME_ORDER.indexOf(outcomeOf(event, step));
  const sent = judgement.steps.filter(({ job }) => isDelivery(job)).sort((a, b) => rank(a) - rank(b));
  const byWord = new Map<string, Set<string>>();
  for (const step of sent) {
    const { word } = stepOutcome(step, { event, judgement });
    byWord.set(word, (byWord.get(word) ?? new Set()).add(channelName(step.job.type)));
  }
  if (byWord.size === 0) return mrkdwn`${OUTCOME_WORDS[outcomeOf(event, judgement)]}`;
  const groups = [...byWord].map(([word, channels]) => mrkdwn`${AND.format(channels)} ${word}`);
  return joined(groups, ', ');
}

function reasonLine({ event, judgement }: FoundEvent, failure: Failure | undefined) {
  const outcome = outcomeOf(event, judgement);
  if (failure !== undefined) return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
  const waiting = judgement.steps.find(({ job }) => job.status === 'delayed')?.job;
  if (waiting !== undefined) return joined([capitalised(channelName(waiting.type)), waitLine(waiting)]);
  const why = event.jobs.length === 0 ? 'no step was started' : reasonOf(judgement.verdict, event);
  return !['delivered', 'merged', 'not-shown'].includes(outcome) && mrkdwn`${capitalised(why)}.`;
}

function who({ subscriber, contextKeys, transactionId }: TriggeredEvent) {
  const { initials = null, maskedEmail = null, phone = null } = subscriber ?? {};
  const contacts = present([initials, maskedEmail, phone && `${phone}`]).map(named);
  const contexts = contextKeys.map((key) => code(key));
  return joined([...contacts, listed(contexts, ' · '), mrkdwn`transaction ${code(transactionId)}`]);
}

function mergedInto({ environment: { name: environment }, event: { mergedInto: id } }: FoundEvent) {
  if (id === null) return null;
  return section(
    mrkdwn`Merged by a digest into ${code(id)}`,
    lookUpButton({ environment, target: { kind: 'event', id } }),
  );
}

function buttons({ environment, event }: FoundEvent) {
  const request = { environment: environment.name, target: targetOf(event) };
  const link = dashboardLink(environment, event);
  return [
    personal(button('Send again', SEND_AGAIN, writeLookup(request))),
    personal(button('Message text', `${MENU}:text`, writeCardAct({ ...request, act: 'text' }))),
    shareButton(lookUpText(request)),
    link !== null && personal(dashboardButton(DASHBOARD, link)),
    publishedAs<ActionsBlockElement>(menu(request), lookUpButton(request)),
  ];
}

const ACTS = ['refresh', 'raw', 'messages', 'text'] as const;

export type CardAct = LookupRequest & { act: (typeof ACTS)[number] };

export function writeCardAct({ act, environment, target }: CardAct) {
  return writeValue([act, environment, target.kind, target.id]);
}

function menu(request: LookupRequest): Overflow {
  const entry = (label: string, act: CardAct['act']) => option(label, writeCardAct({ ...request, act }));
  const raw = request.target.kind === 'event' && entry('View raw', 'raw');
  const options = present([entry('Refresh', 'refresh'), raw, entry('Messages', 'messages')]);
  return { type: 'overflow', action_id: MENU, options };
}

export const parseCardAct = valueParser<CardAct>(
  z
    .tuple([z.enum(ACTS), z.string(), z.enum(['event', 'transaction']), z.string()])
    .transform(([act, environment, kind, id]) => ({ act, environment, target: { kind, id } })),
);
