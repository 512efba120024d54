import type { ActionsBlockElement, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { NoChoice } from '../../../changes/integration-choice.ts';
import type { Attempts } from '../../../incidents/badness.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { wordingKeyOf } from '../../../incidents/keys.ts';
import { MOST_OF_EVENT } from '../../../incidents/lists.ts';
import type { Failure } from '../../../judging/failure.ts';
import { decisiveFailure, type JudgedEvent } from '../../../judging/judge.ts';
import { isAnnounced, type Verdict } from '../../../judging/verdict.ts';
import { dashboardLink } from '../../../lib/environment.ts';
import { groupBy } from '../../../lib/group-by.ts';
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
  lineSections,
  option,
  section,
} from '../../kit/blocks.ts';
import { type LookupRequest, valueParser, writeLookup, writeValue } from '../../kit/button-values.ts';
import { lookUpButton, lookUpText, SEND_AGAIN, shareButton } from '../../kit/buttons.ts';
import { explanationLines } from '../../kit/explanation.ts';
import { fittingMessage, type MessageContent } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { OUTCOME_EMOJI, outcomeWords } from '../../kit/outcomes.ts';
import { forOperators, personal, publishedAs } from '../../kit/published.ts';
import {
  badge,
  code,
  joined,
  type Line,
  listed,
  type Markup,
  mrkdwn,
  named,
  type Optional,
  plural,
  present,
} from '../../kit/text.ts';
import { hasAnswers, PROVIDER_WORDS } from './audited-texts.ts';
import { noChoiceLine } from './no-choice-words.ts';
import { NO_REPEATS, type Repeats, repeatSections } from './repeat-words.ts';
import { detailLines, MOST_STEPS, stepOutcome, storyLine, waitLine } from './step-lines.ts';
import { failureText, reasonOf } from './step-reasons.ts';

export const DASHBOARD = 'event.dashboard';
export const MENU = 'event.menu';

const ACTS = ['refresh', 'raw', 'messages', 'text', 'words'] as const;

/** What a button of the card or an entry of its menu does. */
export type CardAct = LookupRequest & { act: (typeof ACTS)[number] };

const AND = new Intl.ListFormat('en-GB');

/** What Notif knows of an event beside what the service says. */
interface Known {
  noChoice?: NoChoice | null;
  repeats?: Repeats;
}

export function eventCard(
  lookup: FoundEvent,
  incidents: readonly IncidentNow[],
  { noChoice = null, repeats = NO_REPEATS }: Known = {},
): MessageContent {
  const { verdict, steps, failures } = lookup.judgment;
  // A delivered event can have a step without an address.
  const failure = decisiveFailure({ verdict: verdict === 'delivered' ? 'undeliverable' : verdict, failures });
  const attemptsOf = (failed: Failure): Attempts | null => incidentOf(failed, incidents)?.attempts ?? null;
  const { environment, event } = lookup;
  const { error } = lookup.messages;
  const lines = [
    headline(lookup),
    reasonLine(lookup, failure),
    noChoice && noChoiceLine(noChoice, lookup.event.createdAt),
    ...(failure === undefined ? [] : adviceLines(failure, lookup, attemptsOf(failure))),
    hidesOutcome(event) && "⚠️ Incomplete: the answer doesn't show all its steps",
  ];
  // An event that went through since shows no incident.
  const shownIncidents = failure && isAnnounced(failure.verdict) ? incidents : [];
  const story = storyLine(lookup);
  const details = detailLines(lookup, { decisive: failure, attemptsOf });
  return fittingMessage(details.length, (shown) => {
    const left = [
      details.length > shown && plural(details.length - shown, 'more line'),
      steps.length > MOST_STEPS && plural(steps.length - MOST_STEPS, 'more step'),
    ];
    const more = present(left).length > 0 && mrkdwn`… and ${joined(left, ', ')} in View raw and Messages`;
    return [
      section(lines),
      ...shownIncidents.slice(0, MOST_OF_EVENT).map(incidentOnCard),
      shownIncidents.length > MOST_OF_EVENT && context('… and more incidents'),
      ...repeatSections(environment.name, event.createdAt, repeats),
      divider(),
      section(story),
      context(
        sentTo(event),
        error && mrkdwn`⚠️ Its messages are missing here. ${failedRequest(error, environment).what}`,
      ),
      mergedInto(lookup),
      ...actions(buttons(lookup)),
      folded('Details', lineSections([...details.slice(0, shown), more])),
    ];
  });
}

/** The incident with the failure's wording, else one of the same channel and provider. */
function incidentOf(failed: Failure, incidents: readonly IncidentNow[]): IncidentNow | undefined {
  return (
    incidents.find((known) => wordingKeyOf('', known) === wordingKeyOf('', failed)) ??
    incidents.find(({ channel, provider }) => channel === failed.channel && provider === failed.provider)
  );
}

/** The last line of the explanation, which says what to do. The others, what the failure means, stand with its step. */
function adviceLines(failure: Failure, { causes }: FoundEvent, attempts: Attempts | null): readonly Line[] {
  const cause = causes.get(failure);
  return cause === undefined ? [] : explanationLines(cause, attempts).slice(-1);
}

function headline(lookup: FoundEvent): Markup {
  const { environment, event, judgment } = lookup;
  const emoji = OUTCOME_EMOJI[outcomeOf(event, judgment)];
  const workflow = named(event.workflow?.identifier ?? 'deleted workflow');
  const whom = event.subscriber === null ? '(no subscriber)' : mrkdwn`for ${code(event.subscriber.subscriberId)}`;
  return mrkdwn`${emoji} *${workflow}* ${whom}: ${outcomes(lookup)} · ${badge(environment)}`;
}

/** 'email and SMS delivered, push failed' */
function outcomes({ event, judgment }: JudgedEvent): Markup {
  const byVerdict = groupBy(
    judgment.steps.filter(({ job }) => isDelivery(job)),
    ({ verdict }) => verdict,
  );
  const rank = (verdict: Verdict) => OUTCOME_ORDER.indexOf(outcomeOf(event, { verdict }));
  const steps = [...byVerdict].sort(([a], [b]) => rank(a) - rank(b)).flatMap(([, alike]) => alike);
  const byWord = new Map<string, Set<string>>();
  for (const step of steps) {
    const { word } = stepOutcome(step, { event });
    byWord.set(word, (byWord.get(word) ?? new Set()).add(channelName(step.job.type)));
  }
  if (byWord.size === 0) return mrkdwn`${outcomeWords(outcomeOf(event, judgment))}`;
  const groups = [...byWord].map(([word, channels]) => mrkdwn`${AND.format(channels)} ${word}`);
  return joined(groups, ', ');
}

function reasonLine({ event, judgment }: FoundEvent, failure: Failure | undefined): Line {
  if (failure !== undefined && failure.verdict !== 'skipped-by-design') return failureText(failure);
  const waiting = judgment.steps.find(({ job }) => job.status === 'delayed')?.job;
  if (waiting !== undefined) return joined([capitalized(channelName(waiting.type)), waitLine(waiting)]);
  const needsNoReason = ['delivered', 'merged', 'not-shown'].includes(outcomeOf(event, judgment));
  if (needsNoReason) return null;
  const why = event.jobs.length === 0 ? 'no step was started' : reasonOf(judgment.verdict, judgment);
  return mrkdwn`${capitalized(why)}.`;
}

function sentTo({ subscriber, contextKeys, transactionId }: TriggeredEvent): Markup {
  const { initials = null, maskedEmail = null, phone = null } = subscriber ?? {};
  const contacts = present([initials, maskedEmail, phone && `${phone}`]).map(named);
  const contexts = contextKeys.map((key) => code(key));
  return joined([...contacts, listed(contexts, ' · '), mrkdwn`transaction ${code(transactionId)}`]);
}

function mergedInto({
  environment: { name: environment },
  event: { mergedInto: id },
}: FoundEvent): SectionBlock | null {
  if (id === null) return null;
  return section(
    mrkdwn`Merged by a digest into ${code(id)}`,
    lookUpButton({ environment, target: { kind: 'event', id } }),
  );
}

function buttons({ environment, event }: FoundEvent): Optional<ActionsBlockElement>[] {
  const request = { environment: environment.name, target: targetOf(event) };
  const link = dashboardLink(environment, event);
  return [
    forOperators(button('Send again', SEND_AGAIN, writeLookup(request))),
    forOperators(button('Message text', `${MENU}:text`, writeCardAct({ ...request, act: 'text' }))),
    hasAnswers(event) &&
      forOperators(button(PROVIDER_WORDS, `${MENU}:words`, writeCardAct({ ...request, act: 'words' }))),
    shareButton(lookUpText(request)),
    link !== null && personal(dashboardButton(DASHBOARD, link)),
    publishedAs<ActionsBlockElement>(menu(request), lookUpButton(request)),
  ];
}

export function writeCardAct({ act, environment, target }: CardAct): string {
  return writeValue([act, environment, target.kind, target.id]);
}

export const parseCardAct: (value: string) => CardAct | null = valueParser(
  z
    .tuple([z.enum(ACTS), z.string(), z.enum(['event', 'transaction']), z.string()])
    .transform(([act, environment, kind, id]) => ({ act, environment, target: { kind, id } })),
);

function menu(request: LookupRequest): Overflow {
  const entry = (label: string, act: CardAct['act']) => option(label, writeCardAct({ ...request, act }));
  const raw = request.target.kind === 'event' && entry('View raw', 'raw');
  const options = present([entry('Refresh', 'refresh'), raw, entry('Messages', 'messages')]);
  return { type: 'overflow', action_id: MENU, options };
}
