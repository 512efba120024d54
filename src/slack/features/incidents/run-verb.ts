import { muteRunningIn } from '../../../alerts/holds.ts';
import { watchOfMessage } from '../../../alerts/thread-incidents.ts';
import { type ActionTarget, act, follow, type IncidentAction } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { IncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { InputError } from '../../../lib/errors.ts';
import { scrubTyped } from '../../../lib/text/scrub.ts';
import { isAbout } from '../../../watches/covers.ts';
import type { MuteTime } from '../../../watches/parse-mute.ts';
import { incidentTarget, muteIn, setMutes } from '../../../watches/set-mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { watchesIn } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentMessage } from '../../incident-view/incident-row.ts';
import { subjectName } from '../../incident-view/incident-title.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import { VERBS } from '../../incident-view/verbs.ts';
import type { CommandInteraction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { mutedWords, watchNumbers } from '../../kit/mute-words.ts';
import { numberOf } from '../../kit/names.ts';
import { joined, type Markup, mrkdwn, person, present } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';

export const NOTE_EXAMPLE = '#17 key had been rotated in vault, not here';

export const MUTE_BREAKS = 'or until it ends, comes back, hits a critical workflow or fails every time';

export type Action =
  | IncidentAction
  | { what: 'muted'; time: MuteTime }
  | { what: 'unmuted' }
  | { what: 'followed' }
  | { what: 'unfollowed' };

export const LONGEST_NOTE = 200;

export function noteAction(typed: string): IncidentAction {
  const text = scrubTyped(typed);
  if (text !== '' && typed.trim().length <= LONGEST_NOTE) return { what: 'noted', text };
  throw new InputError(
    'note',
    `A note takes text of ${LONGEST_NOTE} characters at most.`,
    `/notif note ${NOTE_EXAMPLE}`,
  );
}

export async function refuseUnassignable(ctx: SlackCtx, userId: string): Promise<void> {
  if (await ctx.accessControl.canUse(userId, 'members')) return;
  throw new InputError('assigned', 'Only members with an active account can be assigned.');
}

export async function runVerbs(
  ctx: SlackCtx,
  refs: readonly IncidentRef[],
  actions: readonly Action[],
  { channelId: channel, userId }: CommandInteraction,
): Promise<MessageContent> {
  const target = (ref: IncidentRef): Target => ({ messageId: null, ...ref, channel, userId });
  const [first, ...others] = refs;
  if (first !== undefined && others.length === 0) return verbMessage(ctx, target(first), actions);
  const lines: Markup[] = [];
  for (const ref of refs) {
    try {
      lines.push((await runActions(ctx, target(ref), actions)).words);
    } catch (error) {
      // One unknown number doesn't stop the others.
      if (!(error instanceof InputError)) throw error;
      lines.push(mrkdwn`⚠️ ${error.message}`);
    }
  }
  return asMessage(lines);
}

type Target = ActionTarget & { userId: string };

/** What the actions did. If the last one found it so already, the incident's row says since when, and by whom. */
export async function verbMessage(ctx: SlackCtx, target: Target, actions: readonly Action[]): Promise<MessageContent> {
  const { words, isChanged } = await runActions(ctx, target, actions);
  return isChanged ? asMessage(words) : incidentCard(ctx, target, target.channel ?? null, words);
}

interface VerbOutcome {
  words: Markup;
  isChanged: boolean;
}

async function runActions(ctx: SlackCtx, target: Target, actions: readonly Action[]): Promise<VerbOutcome> {
  const lines: Markup[] = [];
  let isChanged = false;
  for (const action of actions) {
    const incident = await incidentNumbered(ctx.db, target, ctx.now());
    const changed = await changeIncident(ctx, incident, target, action);
    isChanged = changed !== null;
    // Somebody else may have done it since it was read.
    lines.push(changed ?? unchangedWords(await incidentNumbered(ctx.db, target, ctx.now()), action));
  }
  return { words: joined(lines, '\n'), isChanged };
}

function unchangedWords(incident: IncidentNow, { what }: Action): Markup {
  const { id, state, acknowledged, assignedTo, asOf } = incident;
  const isResolved = state.is === 'resolved' && (what === 'resolved' || what.endsWith('acknowledged'));
  const { unchanged } = VERBS[isResolved ? 'resolved' : what];
  const since = (actor: string | null, at: Date): Markup =>
    joined([actor === null ? '' : mrkdwn` by ${person(actor)}`, mrkdwn`, ${timeNear(at, asOf)}`], '');
  const words = mrkdwn`${numberOf(id)} ${unchanged}`;
  if (isResolved) return mrkdwn`${words}${since(state.actor, state.at)}.`;
  if (what === 'acknowledged' && acknowledged !== null)
    return mrkdwn`${words}${since(acknowledged.actor, acknowledged.at)}.`;
  if (what === 'assigned' && assignedTo !== null) return mrkdwn`${words} to ${person(assignedTo)}.`;
  return mrkdwn`${words}.`;
}

/** The incident's row, with its mute in the watches of the channel. */
export async function incidentCard(
  ctx: SlackCtx,
  ref: IncidentRef,
  channel: string | null,
  words: Markup | null = null,
): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, ref, ctx.now());
  const here = await watchesFor(ctx, { messageId: null, channel }, incident);
  const mute = await muteRunningIn(ctx.db, here, incident, ctx.now());
  return incidentMessage(ctx, incident, { words, mute });
}

/** What was changed; null if it was so already. */
async function changeIncident(
  ctx: SlackCtx,
  incident: IncidentNow,
  target: Target,
  action: Action,
): Promise<Markup | null> {
  const { incidentId, userId } = target;
  const name = mrkdwn`${numberOf(incidentId)} ${subjectName(incident)}`;
  const { did, effect = null } = VERBS[action.what];
  if (action.what === 'muted') {
    const watches = await watchesFor(ctx, target, incident);
    const muted = await muteIn(ctx, { watches, target: incidentTarget(incidentId) }, action.time, userId);
    if (muted.watches.length === 0) return null;
    const breaks = muted.isPlanned ? 'whatever becomes of it' : MUTE_BREAKS;
    return mrkdwn`${did} ${name} in ${mutedWords(muted)}, ${breaks}. You'll get what you missed then.`;
  }
  if (action.what === 'unmuted') {
    const watches = await watchesFor(ctx, target, incident);
    const unmuted = await setMutes(ctx, { watches, target: incidentTarget(incidentId) }, { actor: userId, time: null });
    if (unmuted.length === 0) return null;
    return mrkdwn`${did} ${name} in ${watchNumbers(unmuted)}. You'll get what you missed.`;
  }
  if (action.what === 'followed' || action.what === 'unfollowed')
    return (await follow(ctx, target, action.what, userId)) ? mrkdwn`${did} ${name}.` : null;
  if (!(await act(ctx, target, action, userId))) return null;
  if (action.what === 'noted') return mrkdwn`📝 Note added to ${name}: ${noteWords(action)}.`;
  const to = action.what === 'assigned' ? mrkdwn` to ${person(action.to)}` : '';
  return joined([mrkdwn`${did} ${name}${to}.`, effect], ' ');
}

/** The watch of the message that has the row, else those of the channel that are about the environment. */
async function watchesFor(
  { db }: SlackCtx,
  { messageId, channel }: Pick<ActionTarget, 'messageId' | 'channel'>,
  { environment }: IncidentNow,
): Promise<readonly Watch[]> {
  if (messageId !== null) return present([await watchOfMessage(db, messageId)]);
  const here = channel == null ? [] : await watchesIn(db, channel);
  return here.filter(({ settings }) => isAbout(settings.filter, environment));
}
