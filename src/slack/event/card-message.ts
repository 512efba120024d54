import type { Button, KnownBlock } from '@slack/types';
import { dashboardLink } from '../../domain/environment.ts';
import { explainServiceProblem } from '../../domain/explain.ts';
import { type FoundEvent, targetOf } from '../../domain/looked-up.ts';
import { VERDICT_WORDS } from '../../domain/verdict.ts';
import { badge } from '../blocks/badge.ts';
import {
  actions,
  button,
  context,
  divider,
  linkButton,
  type MessageContent,
  message,
  section,
} from '../blocks/blocks.ts';
import { channelVia } from '../blocks/channel-name.ts';
import { fitRows } from '../blocks/fit.ts';
import { lookUpButton, SEND_AGAIN, writeLookup } from '../blocks/lookup-button.ts';
import { code, joined, type Markup, mrkdwn, named, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { capitalised, VERDICT_EMOJI } from '../blocks/verdict-word.ts';
import { messageLine } from './messages-message.ts';
import { stepRow } from './timeline-message.ts';

/** The card's buttons; all but `DASHBOARD` carry a `LookupRequest` as `blocks/lookup-button.ts` writes it. */
export const SHARE = 'event.share';
export const REFRESH = 'event.refresh';
export const RAW = 'event.raw';
export const DASHBOARD = 'event.dashboard';

/** Who reads a card: one person in a channel, one in a modal (which has no channel to share to), or everybody. */
export type Reader =
  | { readonly is: 'person' }
  | { readonly is: 'in-modal' }
  | { readonly is: 'channel'; readonly sharedBy: string };

/** What happened to an event, and what can be done. Nothing of its payload is shown; contacts arrive masked. */
export function eventCard(found: FoundEvent, reader: Reader): MessageContent {
  const { blocks } = fitRows(
    [section(joined([headline(found), reasonLine(found)], '\n')), divider()],
    found.judgement.steps.map((step) => [stepRow(step)]),
    [
      ...mergedInto(found),
      ...messageBlocks(found),
      divider(),
      ...facts(found),
      ...actions(buttons(found, reader)),
      ...sharer(reader),
    ],
    (left) => mrkdwn`${left} more steps are under Raw.`,
  );
  return message(mrkdwn`${headline(found)}. ${reasonLine(found)}`, blocks);
}

function headline({ environment, event, judgement }: FoundEvent): Markup {
  const verdict = mrkdwn`${VERDICT_EMOJI[judgement.verdict]} *${capitalised(VERDICT_WORDS[judgement.verdict])}*`;
  const workflow = named(event.workflow?.identifier ?? 'deleted workflow');
  const subscriber = event.subscriber === null ? mrkdwn`nobody` : code(event.subscriber.subscriberId);
  return mrkdwn`${badge(environment)} · ${verdict} · *${workflow}* for ${subscriber}`;
}

/** The first failure's cause where something failed, else why the verdict is what it is. */
function reasonLine({ judgement }: FoundEvent): Markup {
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure === undefined) return mrkdwn`${capitalised(judgement.reason)}.`;
  return mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

function mergedInto({ environment, event }: FoundEvent): KnownBlock[] {
  if (event.mergedInto === null) return [];
  const request = { environment: environment.name, target: { kind: 'event', id: event.mergedInto } } as const;
  return [section(mrkdwn`Merged by a digest into ${code(event.mergedInto)}`, lookUpButton(request, 'Look that up'))];
}

const MOST_MESSAGES = 8;

function messageBlocks({ environment, messages }: FoundEvent): KnownBlock[] {
  if (!messages.read) {
    const { what } = explainServiceProblem(messages.error, environment);
    return [context(mrkdwn`Its messages are missing here: ${what}`)];
  }
  if (messages.items.length === 0) return [];
  const shown = messages.items.slice(0, MOST_MESSAGES).map(messageLine);
  const left = messages.items.length - shown.length;
  return [section(joined([mrkdwn`*Messages*`, ...shown, ...(left > 0 ? [mrkdwn`and ${left} more`] : [])], '\n'))];
}

function facts({ event }: FoundEvent): KnownBlock[] {
  const { subscriber } = event;
  const contacts = [subscriber?.initials, subscriber?.maskedEmail, subscriber?.maskedPhone].filter(
    (one) => typeof one === 'string',
  );
  const who =
    subscriber === null
      ? []
      : [mrkdwn`Subscriber ${joined([code(subscriber.subscriberId), ...contacts.map(named)], ' · ')}`];
  return [
    context(joined([...who, mrkdwn`Transaction ${code(event.transactionId)}`], '   ')),
    context(joined([...traits(event), mrkdwn`Received ${time(event.createdAt, 'day')}`], '   ')),
  ];
}

const MOST_NAMES = 3;

function traits({ workflow, severity, critical, tags, topicKeys, contextKeys, id }: FoundEvent['event']): Markup[] {
  return [
    ...(workflow === null || workflow.name === workflow.identifier ? [] : [mrkdwn`Workflow ${named(workflow.name)}`]),
    ...(severity === null ? [] : [mrkdwn`Severity ${named(severity)}`]),
    ...(critical ? [mrkdwn`Critical`] : []),
    ...names('Tags', tags),
    ...names('Topics', topicKeys),
    ...names('Contexts', contextKeys),
    ...(id === null ? [] : [mrkdwn`Event ${code(id)}`]),
  ];
}

function names(label: string, all: readonly string[]): Markup[] {
  if (all.length === 0) return [];
  const more = all.length > MOST_NAMES ? [mrkdwn`${all.length - MOST_NAMES} more`] : [];
  return [mrkdwn`${label} ${joined([...all.slice(0, MOST_NAMES).map((name) => code(name)), ...more], ', ')}`];
}

function buttons({ environment, event }: FoundEvent, reader: Reader): Button[] {
  const request = { environment: environment.name, target: targetOf(event) };
  if (reader.is === 'channel') return [lookUpButton(request)];
  const value = writeLookup(request);
  const link = dashboardLink(environment, event);
  return [
    ...(reader.is === 'person' ? [button('Share', SHARE, value)] : []),
    button('Refresh', REFRESH, value),
    button('Send again', SEND_AGAIN, value),
    button('Raw', RAW, value),
    ...(link === null ? [] : [linkButton('Dashboard', DASHBOARD, link)]),
  ];
}

function sharer(reader: Reader): KnownBlock[] {
  return reader.is === 'channel' ? [context(mrkdwn`Shared by ${person(reader.sharedBy)}`)] : [];
}
