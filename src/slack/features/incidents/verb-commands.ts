import { watchOfMessage } from '../../../alerts/threads.ts';
import { type ActionTarget, act, type IncidentAction } from '../../../incidents/actions.ts';
import { follow } from '../../../incidents/followers.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { InputError } from '../../../lib/errors.ts';
import { type IncidentRef, incidentIn, incidentsIn } from '../../../lib/input/typed-values.ts';
import { scrubTyped } from '../../../lib/text/scrub.ts';
import type { MuteTime } from '../../../watches/mute-words.ts';
import { incidentTarget, muteIn, mutesEndingAfter, setMutes } from '../../../watches/mutes.ts';
import { isAbout } from '../../../watches/settings.ts';
import { watchesIn } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { VERBS } from '../../incident-view/incident-actions.ts';
import { incidentMessage } from '../../incident-view/incident-row.ts';
import { subjectName } from '../../incident-view/incident-title.ts';
import { noteWords } from '../../incident-view/incident-words.ts';
import type { CommandInteraction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { numberOf } from '../../kit/names.ts';
import { joined, type Markup, mrkdwn, person, present } from '../../kit/text.ts';
import { mutedWords, watchNumbers } from '../../kit/watch-words.ts';
import type { Command } from '../../router/command.ts';

const NOTED = '#17 key had been rotated in vault, not here';

export function verbCommands(ctx: SlackCtx): Command[] {
  const common = { for: 'members', filters: [], usage: '<incident …>', examples: ['#17', '#17 #18'] } as const;
  const verb = (
    word: string,
    what: 'acknowledged' | 'followed' | 'unfollowed' | 'reopened',
    about: string,
  ): Command => ({
    ...common,
    word,
    about,
    answer: ({ words }, interaction) => runVerbs(ctx, incidentsIn(words, word), [{ what }], interaction),
  });
  return [
    verb('ack', 'acknowledged', 'acknowledge an incident: its mentions stop'),
    {
      ...common,
      word: 'resolve',
      usage: '<incident> [why]',
      about: 'resolve an incident, with a note why; what fails of it afterwards is a relapse',
      examples: ['#17', '#17 key is back'],
      follows: 'text',
      answer: async ({ text }, interaction) => {
        const { ref, rest } = incidentAndText(text, 'resolve');
        const noted = rest === '' ? [] : [noteAction(rest)];
        return runVerbs(ctx, [ref], [...noted, { what: 'resolved' }], interaction);
      },
    },
    {
      ...common,
      word: 'assign',
      usage: '<incident …> [@person]',
      about: 'assign incidents to somebody, who gets a direct message; to yourself without a name',
      examples: ['#17', '#17 #18 @ben'],
      answer: async ({ words }, interaction) => {
        const [, assignee] = /<@([UW][A-Z0-9]+)/.exec(interaction.text) ?? [];
        const others = assignee === undefined ? words : words.filter((word) => !/^(?:<?@.*|to)$/.test(word));
        const incidents = incidentsIn(others, 'assign');
        const to = assignee ?? interaction.userId;
        await refuseUnassignable(ctx, to);
        return runVerbs(ctx, incidents, [{ what: 'assigned', to }], interaction);
      },
    },
    verb('follow', 'followed', 'get a direct message now, and when incidents end or come back'),
    verb('unfollow', 'unfollowed', 'get no more direct messages about incidents that you follow'),
    verb('reopen', 'reopened', 'reopen an incident that somebody resolved'),
    {
      ...common,
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, also when the cause comes back',
      examples: [NOTED],
      follows: 'text',
      answer: async ({ text }, interaction) => {
        const { ref, rest } = incidentAndText(text, 'note');
        return runVerbs(ctx, [ref], [noteAction(rest)], interaction);
      },
    },
  ];
}

function incidentAndText(typed: string, command: string) {
  const [, number = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(typed.trim()) ?? [];
  return { ref: incidentIn([number], command), rest };
}

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
  throw new InputError('note', `A note takes text of ${LONGEST_NOTE} characters at most.`, `/notif note ${NOTED}`);
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
  const lines: Markup[] = [];
  for (const ref of refs) {
    try {
      for (const action of actions)
        lines.push(await runVerb(ctx, { messageId: null, ...ref, channel, userId }, action));
    } catch (error) {
      // One unknown number doesn't stop the others.
      if (!(error instanceof InputError) || refs.length === 1) throw error;
      lines.push(mrkdwn`⚠️ ${error.message}`);
    }
  }
  return asMessage(lines);
}

type Target = ActionTarget & { userId: string };

export async function runVerb(ctx: SlackCtx, target: Target, action: Action): Promise<Markup> {
  const incident = await incidentNumbered(ctx.db, target, ctx.now());
  const changed = await changeIncident(ctx, incident, target, action);
  if (changed !== null) return changed;
  const isResolved = action.what.endsWith('acknowledged') && incident.state.is === 'resolved';
  return mrkdwn`${numberOf(incident.id)} ${VERBS[isResolved ? 'resolved' : action.what].unchanged}.`;
}

export async function incidentCard(ctx: SlackCtx, ref: IncidentRef, channel: string | null): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, ref, ctx.now());
  const here = await watchesOf(ctx, { messageId: null, channel }, incident);
  const mutes = await Promise.all(here.map(({ id }) => mutesEndingAfter(ctx.db, id, ctx.now())));
  const mute = mutes.flat().find(({ incidentId }) => incidentId === incident.id) ?? null;
  return incidentMessage(ctx, incident, { mute });
}

async function changeIncident(ctx: SlackCtx, incident: IncidentNow, target: Target, action: Action) {
  const { incidentId, userId } = target;
  const name = mrkdwn`${numberOf(incidentId)} ${subjectName(incident)}`;
  const { did, effect = null } = VERBS[action.what];
  if (action.what === 'muted') {
    const watches = await watchesOf(ctx, target, incident);
    const muted = await muteIn(ctx, { watches, target: incidentTarget(incidentId) }, action.time, userId);
    if (muted.watches.length === 0) return null;
    const breaks = muted.isPlanned ? 'whatever becomes of it' : MUTE_BREAKS;
    return mrkdwn`${did} ${name} in ${mutedWords(muted)}, ${breaks}. You'll get what you missed then.`;
  }
  if (action.what === 'unmuted') {
    const watches = await watchesOf(ctx, target, incident);
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

async function watchesOf(
  { db }: SlackCtx,
  { messageId, channel }: Pick<ActionTarget, 'messageId' | 'channel'>,
  { environment }: IncidentNow,
) {
  if (messageId !== null) return present([await watchOfMessage(db, messageId)]);
  const here = channel == null ? [] : await watchesIn(db, channel);
  return here.filter(({ settings }) => isAbout(settings.filter, environment));
}
