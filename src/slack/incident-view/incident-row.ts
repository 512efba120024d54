import type { ActionsBlock, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { LineEvent, PersonalNews } from '../../alerts/content.ts';
import { GROWTH } from '../../alerts/decide.ts';
import type { ExplainCause, ExplainedCause } from '../../causes/explain-cause.ts';
import type { EnvironmentChange } from '../../changes/change.ts';
import { isNotAFailure } from '../../failures/verdict.ts';
import type { ActionTarget } from '../../incidents/actions.ts';
import type { IncidentAct } from '../../incidents/acts.ts';
import { type IncidentNow, refOf } from '../../incidents/incident.ts';
import type { Occurrence } from '../../incidents/timeline.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { writeIncidentRef } from '../../lib/input/typed-values.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import { unreachedWords } from '../../lib/unreached.ts';
import { targetOf } from '../../lookups/event.ts';
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
import {
  badge,
  code,
  joined,
  type Line,
  type Markup,
  mrkdwn,
  percent,
  person,
  plural,
  present,
  time,
  timeNear,
} from '../kit/text.ts';
import { capitalized, changedWords, failureCount, numberOf, OUTCOME_EMOJI } from '../kit/words.ts';
import {
  incidentFacts,
  incidentTitle,
  KINDS,
  noteWords,
  quoteOf,
  type RowSize,
  type ShownMute,
  stateWords,
  subjectText,
} from './incident-words.ts';

interface VerbWords {
  label: string;
  did: string;
  effect?: string;
  unchanged: string;
}

export type Verb =
  | ('acknowledged' | 'unacknowledged' | 'assigned' | 'resolved' | 'reopened' | 'noted')
  | ('muted' | 'unmuted' | 'followed' | 'unfollowed');

export const VERBS: Record<Verb, VerbWords> = {
  acknowledged: {
    label: 'Acknowledge',
    did: '👀 Acknowledged',
    effect: 'Mentions stop.',
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
  timeline: { label: 'Timeline' },
  'send-again': { label: 'Send again…' },
};

type MenuEntry = keyof typeof ENTRIES;

/** A menu may have no room for the last, which are commands, too. A watch's message says where to mute. */
function entriesOf(
  { state, acknowledged, verdict, kind }: IncidentNow,
  { messageId, mute }: RowPlace,
): readonly MenuEntry[] {
  const hasFailures = kind === 'failures';
  const muting = mute ? 'unmuted' : messageId !== null && 'muted';
  if (state.is === 'resolved')
    return present<MenuEntry>([
      muting,
      state.actor !== null && 'reopened',
      hasFailures && !isNotAFailure(verdict) && 'send-again',
      'timeline',
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

/** What a line in a thread says, before the incident's own words. */
export function eventWords(event: LineEvent): Line {
  if (event.is !== 'entry') {
    const words = event.is === 'escalated' ? '⏰ Still not acknowledged' : `📈 Up ${GROWTH}× or more`;
    return mrkdwn`${words} at ${time(event.at, 'time')}`;
  }
  const { actor, at, change } = event.entry;
  return change === null ? null : entryWords(change, actor, at);
}

/** An entry of a timeline in words; `isDated`: nothing beside it says when. */
export function entryWords(
  change: Occurrence | IncidentAct,
  actor: string | null,
  at: Date,
  isDated: boolean = true,
): Markup {
  const when = isDated ? mrkdwn` at ${time(at, 'time')}` : '';
  const doer = actor === null ? '' : mrkdwn` by ${person(actor)}`;
  switch (change.action) {
    case 'began':
      return mrkdwn`🔴 First failure ${timeNear(change.failedAt, at, 'seconds')}${change.critical ? ', critical' : ''}`;
    case 'back':
      return mrkdwn`🔴 Back: failed again ${timeNear(change.failedAt, at, 'seconds')}${change.critical ? ', critical' : ''}`;
    case 'began-earlier':
      return mrkdwn`🔎 Began ${timeNear(change.failedAt, at)}, found later`;
    case 'failing-again':
      return mrkdwn`🔴 Failing again${when}`;
    case 'worse':
      return mrkdwn`📈 ${capitalized(change.badness)} now${when}: ${change.failed} of ${change.tried}`;
    case 'critical':
      return mrkdwn`🔴 A critical workflow fails${when}`;
    case 'recovering':
      return mrkdwn`⚪ No new ones since ${timeNear(change.lastFailedAt, at)}`;
    case 'unconfirmed':
      return mrkdwn`⚪ Not tried since ${timeNear(change.lastFailedAt, at)}`;
    case 'ended':
      return change.ending === 'recovered'
        ? mrkdwn`✅ Resolved: recovered${when}`
        : mrkdwn`⚪ Over${when}, though nothing shows that it works again`;
    case 'found-later':
      return change.failures > 0
        ? mrkdwn`🔎 +${change.failures} found later: ${plural(change.of, 'failure')}`
        : mrkdwn`🔎 ${-change.failures} were delivered after all: ${plural(change.of, 'failure')}`;
    case 'cause-clear':
      return mrkdwn`🔎 The cause became clear${when}: ${change.headline}`;
    case 'goes-on-as':
      return mrkdwn`➡️ Goes on as ${numberOf(change.other)}, the same cause`;
    case 'continues':
      return mrkdwn`➡️ ${numberOf(change.other)} is the same cause, and goes on here`;
    case 'caught-up':
      return mrkdwn`✅ Caught up${when}: ${plural(change.events, 'event')} checked, ${plural(change.failures, 'failure')} found`;
    case 'unreached':
      return mrkdwn`📵 ${person(change.to)} got no direct message about it: ${unreachedWords(change.code).why}`;
    case 'change-nearby':
      return mrkdwn`⚙️ Something was changed ${timeNear(change.changedAt, at, 'seconds')}`;
    case 'assigned':
      return mrkdwn`${VERBS.assigned.did} to ${person(change.to)}${doer}${when}`;
    case 'noted':
      return mrkdwn`${VERBS.noted.did}${doer}${when}: ${noteWords(change)}`;
    case 'incident-muted':
      return mrkdwn`${VERBS.muted.did}${doer} until ${timeNear(change.until, at)}`;
    case 'incident-unmuted':
      return mrkdwn`${VERBS.unmuted.did}${doer}${when}`;
    case 'sent-again':
      return mrkdwn`↻ ${plural(change.notifications, 'notification')} sent again${doer}${when}`;
    default:
      return mrkdwn`${VERBS[change.action].did}${doer}${when}`;
  }
}

const CONCERNED = 'You follow it, or you have it.';

export function newsWords(news: PersonalNews, at: Date): Markup {
  const when = time(at, 'time');
  switch (news.what) {
    case 'followed':
      return mrkdwn`👣 You follow this incident: you get a message here when it ends or comes back.`;
    case 'ended':
      return mrkdwn`✅ This incident ended at ${when}. ${CONCERNED}`;
    case 'back':
      return mrkdwn`🔴 This incident came back at ${when}. ${CONCERNED}`;
    case 'failing-again':
      return mrkdwn`🔴 This incident fails again since ${when}. ${CONCERNED}`;
    case 'every':
      return mrkdwn`📈 Every attempt failed at ${when}. ${CONCERNED}`;
    case 'critical':
      return mrkdwn`🔴 A critical workflow fails since ${when}. ${CONCERNED}`;
    case 'escalated':
      return mrkdwn`⏰ At ${when}, nobody had acknowledged this incident. ${CONCERNED}`;
    case 'unacknowledged':
      return mrkdwn`↩️ ${person(news.actor)} unacknowledged this incident, which you had acknowledged.`;
    case 'assigned':
      return mrkdwn`🙋 ${person(news.actor)} assigned this incident to you.`;
    case 'taken':
      return mrkdwn`🙋 ${person(news.actor)} assigned this incident, which you had, to ${person(news.to)}.`;
  }
}

export const ACT = 'row.act';

/** The message that a row stands in, and the incident's mute there. */
export interface RowPlace {
  messageId: string | null;
  mute: ShownMute;
}

const NO_PLACE: RowPlace = { messageId: null, mute: null };

/** The block's ID names the incident once for all buttons: ten rows share a message's limit. */
export function incidentActions(incident: IncidentNow, place: RowPlace = NO_PLACE): ActionsBlock {
  const { environment } = incident;
  const { eventId: id, transactionId } = incident.example;
  const example = { environment, target: targetOf({ id, transactionId }) };
  const entries = entriesOf(incident, place);
  const buttons = incident.state.is === 'resolved' ? [] : entries.slice(0, 1);
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId: place.messageId, ...refOf(incident) }),
    elements: [
      ...buttons.map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
      // An example that was re-checked as fine, or is past retention, is empty.
      ...(transactionId === '' ? [] : [lookUpButton(example, 'Example')]),
      menu(entries.slice(buttons.length)),
    ].filter(isSendable),
  };
}

/** Below the line that it ended. */
export function endedActions(incident: IncidentNow): ActionsBlock {
  const entries = entriesOf(incident, NO_PLACE).filter((act) => act === 'timeline' || act === 'send-again');
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId: null, ...refOf(incident) }),
    elements: entries.toReversed().map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
  };
}

export function withMenu(row: SectionBlock, incident: IncidentNow, place: RowPlace = NO_PLACE): SectionBlock {
  const blockId = writeActionTarget({ messageId: place.messageId, ...refOf(incident) });
  return { ...row, block_id: blockId, accessory: menu(entriesOf(incident, place)) };
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
  mute?: ShownMute;
  beside?: Markup | null;
  cause?: ExplainedCause | null;
  size?: RowSize;
}

export function incidentRow(incident: IncidentNow, options: IncidentRowOptions) {
  const { messageId = null, mute = null, size } = options;
  const row = section(incidentText(incident, options));
  const place = { messageId, mute };
  return size === 'terse' ? [withMenu(row, incident, place)] : [row, incidentActions(incident, place)];
}

export function incidentMessage(
  { environments, explainCause }: IncidentCtx,
  incident: IncidentNow,
  { words = null, mute = null }: { words?: Markup | null; mute?: ShownMute } = {},
) {
  const beside = badge(labeled(incident.environment, environments));
  const row = incidentRow(incident, { beside, mute, cause: explainCause(incident) });
  return message([words && section(words), ...row]);
}

export function incidentText(incident: IncidentNow, options: IncidentRowOptions) {
  const { beside = null, cause = null, size = 'whole', mute = null } = options;
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
    isFiring && nextWords(incident, cause),
    ...stateWords(incident, mute),
  ];
  return joined(lines, '\n');
}

function nextWords(incident: IncidentNow, cause: ExplainedCause | null): Line {
  const { kind, attempts } = incident;
  if (kind !== 'failures') return KINDS[kind].next(incident);
  return cause && nextLine(cause, attempts);
}

export function rowEmoji({ state, verdict, kind }: IncidentNow): string {
  if (kind === 'silence') return state.is === 'firing' ? '🔇' : '✅';
  if (kind === 'not-running') return '⚪';
  if (state.is === 'resolved') return state.ending === 'unconfirmed' ? '⚪' : '✅';
  if (state.is !== 'firing') return '⚪';
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

function changeHints({ changedBefore, beganAt }: IncidentNow) {
  return changedBefore.map((change) => mrkdwn`${changedWords(change.what)} ${whenWords(change, beganAt)}`);
}

function whenWords({ at, after }: EnvironmentChange, beganAt: Date) {
  if (at > beganAt) return mrkdwn`between ${time(after, 'seconds')} and ${time(at, 'seconds')}`;
  const before = (moment: Date) => describeDuration(beganAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}

export function incidentOnCard(incident: IncidentNow) {
  const { id, verdict, failures } = incident;
  const facts = [subjectText(incident), failureCount(verdict, failures), ...stateWords(incident)];
  return withMenu(section(mrkdwn`Part of ${numberOf(id)}: ${joined(facts)}`), incident);
}
