import { type ActionTarget, act } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { InputError } from '../../../lib/errors.ts';
import { scrubTyped } from '../../../lib/text/scrub.ts';
import type { IncidentAction } from '../../../outbox/events.ts';
import type { MuteEnd } from '../../../watches/mute-words.ts';
import { muteIn, mutesEndingAfter, unmuteIn } from '../../../watches/mutes.ts';
import { isAbout } from '../../../watches/settings.ts';
import { watches, watchOfMessage } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentMessage } from '../../incident-view/incident-row.ts';
import { VERBS } from '../../incident-view/incident-verbs.ts';
import { noteWords, subjectText } from '../../incident-view/incident-words.ts';
import { type MessageContent, sentence } from '../../kit/message.ts';
import { code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { numberOf } from '../../kit/words/names.ts';
import { mutedWords, watchNumbers } from '../../kit/words/watch-words.ts';

export type MuteAction = { what: 'muted'; end: MuteEnd } | { what: 'unmuted' };
export type Action = IncidentAction | MuteAction;

export const LONGEST_NOTE = 200;

export function noteAction(typed: string, example: string | null = null): IncidentAction {
  const text = scrubTyped(typed);
  if (text === '') throw new InputError('note', 'There is no text in this note.', example);
  if (typed.trim().length <= LONGEST_NOTE) return { what: 'noted', text };
  throw new InputError('note', `A note takes ${LONGEST_NOTE} characters at most.`);
}

export async function refuseUnassignable(ctx: SlackCtx, userId: string): Promise<void> {
  if (await ctx.accessControl.canUse(userId, 'members')) return;
  throw new InputError('assigned', 'Only members with an active account can be assigned.');
}

/** Shows the incident, too, if the last action changed nothing. */
export async function actionMessage(ctx: SlackCtx, target: ActionTarget, actions: readonly Action[], userId: string) {
  const done: { words: Markup; isChanged: boolean }[] = [];
  for (const action of actions) done.push(await outcomeOf(ctx, target, action, userId));
  const lines = done.map(({ words }) => words);
  const words = joined(lines, '\n');
  return done.at(-1)?.isChanged ? sentence(words) : incidentHere(ctx, target, words);
}

export async function outcomeOf(ctx: SlackCtx, target: ActionTarget, action: Action, userId: string) {
  const incident = await incidentNumbered(ctx.db, target.incidentId, ctx.now());
  const changed = await changeIncident(ctx, incident, { ...target, userId }, action);
  const isLate = action.what.endsWith('acknowledged') && incident.state.is === 'resolved';
  const { unchanged } = VERBS[isLate ? 'resolved' : action.what];
  return { words: changed ?? mrkdwn`${numberOf(incident.id)} ${unchanged}.`, isChanged: changed !== null };
}

/** Includes its mute in the watches that the target names. */
export async function incidentHere(
  ctx: SlackCtx,
  target: ActionTarget,
  words: Markup | null = null,
): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, target.incidentId, ctx.now());
  const here = await watchesOf(ctx, target, incident);
  const running = here.map(({ id }) => mutesEndingAfter(ctx.db, id, ctx.now()));
  const mute = (await Promise.all(running)).flat().find(({ incidentId }) => incidentId === incident.id) ?? null;
  return incidentMessage(ctx, { ...incident, mute }, target.messageId, words);
}

/** Null if it changed nothing. */
async function changeIncident(
  ctx: SlackCtx,
  incident: IncidentNow,
  { userId, ...target }: ActionTarget & { userId: string },
  action: Action,
): Promise<Markup | null> {
  const { incidentId } = target;
  const name = mrkdwn`${numberOf(incidentId)} ${subjectText(incident, true)}`;
  const { did, effect = null } = VERBS[action.what];
  if (action.what === 'muted') {
    const watches = await watchesOf(ctx, target, incident);
    const muted = await muteIn(ctx, { watches, incidentId }, action.end, userId);
    if (muted.watches.length === 0) return null;
    const sooner = code(`/notif unmute #${incidentId}`);
    return mrkdwn`${did} ${name} in ${mutedWords(muted)}. You'll get what you missed then. To end it sooner: ${sooner}.`;
  }
  if (action.what === 'unmuted') {
    const unmuted = await unmuteIn(ctx, { watches: await watchesOf(ctx, target, incident), incidentId }, userId);
    if (unmuted.length === 0) return null;
    return mrkdwn`${did} ${name} in ${watchNumbers(unmuted)}. You'll get what you missed.`;
  }
  if ((await act(ctx, target, action, userId)) !== 'done') return null;
  if (action.what === 'noted') return mrkdwn`📝 Note added to ${name}: ${noteWords(action)}.`;
  const to = action.what === 'assigned' ? mrkdwn` to ${person(action.to)}` : '';
  return joined([mrkdwn`${did} ${name}${to}.`, effect], ' ');
}

async function watchesOf({ db }: SlackCtx, { messageId, channel }: ActionTarget, { environment }: IncidentNow) {
  if (messageId !== null) return [await watchOfMessage(db, messageId)].filter((watch) => watch !== null);
  const here = channel == null ? [] : await watches(db, channel);
  return here.filter(({ settings }) => isAbout(settings.filter, environment));
}
