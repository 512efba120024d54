import type { ActionsBlock, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { ExplainCause, ExplainedCause } from '../../causes/explain-cause.ts';
import type { EnvironmentChange } from '../../changes/change.ts';
import { GROWTH } from '../../digests/decide.ts';
import { isNotAFailure } from '../../failures/verdict.ts';
import type { ActionTarget } from '../../incidents/actions.ts';
import { type IncidentNow, refOf } from '../../incidents/incident.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { writeIncidentRef } from '../../lib/input/typed-values.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import { targetOf } from '../../lookups/event.ts';
import {
  type IncidentEvent,
  isLineReason,
  type LineReason,
  type PersonalNotice,
  unreachedWords,
} from '../../outbox/kinds.ts';
import {
  button,
  IncidentText,
  isSendable,
  lookUpButton,
  option,
  section,
  valueParser,
  writeValue,
} from '../kit/blocks.ts';
import { nextLine } from '../kit/explanation.ts';
import { message } from '../kit/message.ts';
import { badge, code, joined, type Markup, mrkdwn, percent, person, present, time, timeNear } from '../kit/text.ts';
import { changedWords, failureCount, numberOf, OUTCOME_EMOJI } from '../kit/words.ts';
import {
  incidentFacts,
  incidentTitle,
  noteWords,
  outageNext,
  quoteOf,
  type RowSize,
  stateWords,
  subjectText,
} from './incident-words.ts';

interface VerbWords {
  label: string;
  did: string;
  effect?: string;
  unchanged: string;
}

/** A `line` is in the thread, `beside` in the row of a new alert. */
export const AUTOMATIC = {
  critical: { line: '🔴 A critical workflow fails', beside: 'now critical' },
  grown: { line: `📈 Up ${GROWTH}× or more`, beside: `up ${GROWTH}× or more` },
  escalated: { line: '⏰ Still not acknowledged', beside: 'not acknowledged' },
  flared: { line: '🔴 Fails again', beside: null },
};

const UNMUTED_BY = {
  resolved: 'resolved',
  relapsed: 'it fails again',
  critical: 'a critical workflow fails',
  grown: `up ${GROWTH}× or more`,
};

type Verb = Exclude<IncidentEvent['what'], LineReason | 'unreached'> | 'followed' | 'unfollowed';

export const VERBS: Record<Verb, VerbWords> = {
  acknowledged: {
    label: 'Acknowledge',
    did: '👀 Acknowledged',
    effect: 'Mentions stop unless it becomes critical.',
    unchanged: 'is already acknowledged',
  },
  unacknowledged: {
    label: 'Unacknowledge',
    did: '↩️ Unacknowledged',
    effect: 'Its alerts mention people again.',
    unchanged: "isn't acknowledged",
  },
  assigned: { label: 'Assign…', did: '🙋 Assigned', unchanged: 'is already assigned to them' },
  resolved: {
    label: 'Resolve',
    did: '✅ Resolved',
    effect: 'If it fails again, it is alerted to again.',
    unchanged: 'is already resolved',
  },
  reopened: {
    label: 'Reopen',
    did: '↩️ Reopened',
    unchanged: "isn't resolved by anyone, so there is nothing to reopen",
  },
  noted: { label: 'Add a note…', did: '📝 Note', unchanged: 'has this note already' },
  muted: { label: 'Mute…', did: '🔕 Muted', unchanged: 'is in no watch here, so there is nothing to mute' },
  unmuted: { label: 'Unmute', did: '🔔 Unmuted', unchanged: "isn't muted here" },
  followed: { label: 'Follow', did: '👣 Following', unchanged: 'is already followed by you' },
  unfollowed: { label: 'Unfollow', did: '👣 No longer following', unchanged: "isn't followed by you" },
};

const ENTRIES = {
  ...VERBS,
  events: { label: 'View events' },
  affected: { label: 'View affected' },
  'send-again': { label: 'Send again…' },
};

type MenuEntry = keyof typeof ENTRIES;

/** A menu may have no room for the last, which are commands, too. A watch's message says where to mute. */
function entriesOf({ state, acknowledged, mute, verdict, outage }: IncidentNow, messageId: string | null) {
  const hasFailures = outage === null;
  const muting = mute ? 'unmuted' : messageId !== null && 'muted';
  if (state.is === 'resolved')
    return present<MenuEntry>([
      muting,
      state.actor !== null && 'reopened',
      hasFailures && !isNotAFailure(verdict) && 'send-again',
      hasFailures && 'events',
      hasFailures && 'affected',
      'noted',
    ]);
  return present<MenuEntry>([
    acknowledged === null ? 'acknowledged' : 'unacknowledged',
    'assigned',
    muting,
    hasFailures && 'affected',
    'resolved',
    hasFailures && state.is !== 'firing' && 'send-again',
    'noted',
    'followed',
  ]);
}

export function eventWords(event: IncidentEvent) {
  if (isLineReason(event.what)) return mrkdwn`${AUTOMATIC[event.what].line} at ${time(event.at, 'time')}`;
  if (event.what === 'unreached')
    return mrkdwn`📵 ${person(event.to)} got no direct message about it: ${unreachedWords(event.code).why}`;
  const { what, actor, at } = event;
  const to = what === 'assigned' ? mrkdwn` to ${person(event.to)}` : '';
  const why = what === 'unmuted' && event.why !== undefined ? UNMUTED_BY[event.why] : 'recovered';
  const doer = actor === null ? mrkdwn`: ${why}` : mrkdwn` by ${person(actor)}`;
  const when = what === 'muted' ? mrkdwn`until ${timeNear(event.until, at)}` : mrkdwn`at ${time(at, 'time')}`;
  const note = what === 'noted' ? mrkdwn`: ${noteWords(event)}` : '';
  return mrkdwn`${VERBS[what].did}${to}${doer} ${when}${note}`;
}

const FOLLOWED = "You follow it, or it's assigned to you.";

export function noticeWords(notice: PersonalNotice, at: Date) {
  switch (notice.what) {
    case 'followed':
      return mrkdwn`👣 You follow this incident: you get a message here when it ends or comes back.`;
    case 'ended':
      return mrkdwn`✅ This incident ended at ${time(at, 'time')}. ${FOLLOWED}`;
    case 'back':
      return mrkdwn`🔴 This incident came back at ${time(at, 'time')}. ${FOLLOWED}`;
    case 'escalated':
      return mrkdwn`⏰ Nobody has acknowledged this incident, which is assigned to you.`;
    case 'unacknowledged':
      return mrkdwn`↩️ ${person(notice.actor)} unacknowledged this incident, which you had acknowledged.`;
    case 'assigned':
      return mrkdwn`🙋 ${person(notice.actor)} assigned this incident to you.`;
    case 'taken':
      return mrkdwn`🙋 ${person(notice.actor)} assigned this incident, which you had, to ${person(notice.to)}.`;
  }
}

export const ACT = 'row.act';

/** The block's ID names the incident once for all buttons: ten rows share a message's limit. */
export function incidentActions(incident: IncidentNow, messageId: string | null = null): ActionsBlock {
  const { environment } = incident;
  const { eventId: id, transactionId } = incident.example;
  const example = { environment, target: targetOf({ id, transactionId }) };
  const entries = entriesOf(incident, messageId);
  const buttons = incident.state.is === 'resolved' ? [] : entries.slice(0, 1);
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId, ...refOf(incident) }),
    elements: [
      ...buttons.map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
      // An example that was re-checked as fine, or is past retention, is empty.
      ...(transactionId === '' ? [] : [lookUpButton(example, 'Example')]),
      menu(entries.slice(buttons.length)),
    ].filter(isSendable),
  };
}

export function withMenu(row: SectionBlock, incident: IncidentNow, messageId: string | null = null) {
  const blockId = writeActionTarget({ messageId, ...refOf(incident) });
  return { ...row, block_id: blockId, accessory: menu(entriesOf(incident, messageId)) };
}

/** Slack's limit. */
const MOST_ENTRIES = 5;

function menu(entries: readonly MenuEntry[]): Overflow {
  const options = present(entries.slice(0, MOST_ENTRIES).map((act) => option(ENTRIES[act].label, act)));
  return { type: 'overflow', action_id: ACT, options };
}

export function writeActionTarget({ messageId, ...ref }: ActionTarget): string {
  return writeValue([messageId ?? '', writeIncidentRef(ref)]);
}

export const parseActionTarget = valueParser(
  z.tuple([z.string(), IncidentText]).transform(([messageId, ref]) => ({ messageId: messageId || null, ...ref })),
);

const isEntry = (name: string): name is MenuEntry => Object.hasOwn(ENTRIES, name);

export function parseAct(act: string, blockId: string) {
  const target = parseActionTarget(blockId);
  return target !== null && isEntry(act) ? { act, target } : null;
}

export interface IncidentCtx {
  environments: readonly Environment[];
  explainCause: ExplainCause;
}

interface IncidentRowOptions {
  /** The watch's message that has the row. */
  messageId?: string | null;
  beside?: Markup | null;
  cause?: ExplainedCause | null;
  size?: RowSize;
}

export function incidentRow(incident: IncidentNow, options: IncidentRowOptions) {
  const { messageId = null, size } = options;
  const row = section(incidentText(incident, options));
  return size === 'terse' ? [withMenu(row, incident, messageId)] : [row, incidentActions(incident, messageId)];
}

export function incidentMessage(
  { environments, explainCause }: IncidentCtx,
  incident: IncidentNow,
  words: Markup | null = null,
) {
  const beside = badge(labeled(incident.environment, environments));
  const row = incidentRow(incident, { beside, cause: explainCause(incident) });
  return message([words && section(words), ...row]);
}

export function incidentText(incident: IncidentNow, options: IncidentRowOptions) {
  const { beside = null, cause = null, size = 'whole' } = options;
  const isFiring = incident.state.is === 'firing';
  const title = mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`;
  const facts = incidentFacts(incident, size);
  const last = [beside, numberOf(incident.id)];
  const head = {
    whole: [joined([title, ...last]), joined(facts)],
    headed: [quoteOf(incident), joined([...facts, ...last])],
    terse: [joined([title, ...facts, ...last])],
  }[size];
  const lines = [
    ...head,
    size !== 'terse' && joined([...changeHints(incident), labelHint(incident)]),
    isFiring && (incident.outage ? outageNext(incident.outage) : cause && nextLine(cause, incident.attempts)),
    ...stateWords(incident),
  ];
  return joined(lines, '\n');
}

export function rowEmoji({ state, verdict }: IncidentNow) {
  if (state.is !== 'firing') return state.is === 'resolved' ? '✅' : '⚪';
  return OUTCOME_EMOJI[verdict];
}

export function labelHint({ shared }: IncidentNow) {
  if (shared === null) return null;
  const { label, events, total, usually, isOfNewest } = shared;
  const share = mrkdwn`${events} of ${isOfNewest ? 'the last ' : ''}${total}`;
  const count = events === total && !isOfNewest ? 'all of them' : share;
  const kind = label.kind === 'context' ? '' : `${label.kind} `;
  return mrkdwn`🏷️ ${count} ${kind}${code(maskedId(label.value))} (${percent(usually, 1)} of traffic)`;
}

function changeHints({ changedBefore, startedAt }: IncidentNow) {
  return changedBefore.map((change) => mrkdwn`${changedWords(change.what)} ${whenWords(change, startedAt)}`);
}

function whenWords({ at, after }: EnvironmentChange, startedAt: Date) {
  if (at > startedAt) return mrkdwn`between ${time(after, 'seconds')} and ${time(at, 'seconds')}`;
  const before = (moment: Date) => describeDuration(startedAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}

export function incidentOnCard(incident: IncidentNow) {
  const { id, verdict, failures } = incident;
  const facts = [subjectText(incident), failureCount(verdict, failures), ...stateWords(incident)];
  return withMenu(section(mrkdwn`Part of ${numberOf(id)}: ${joined(facts)}`), incident);
}
