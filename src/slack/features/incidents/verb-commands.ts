import { follow } from '../../../incidents/actions.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { InputError } from '../../../lib/errors.ts';
import { incidentNumberIn, incidentNumbersIn } from '../../../lib/input/typed-values.ts';
import type { IncidentAction } from '../../../outbox/events.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, sentence } from '../../kit/message.ts';
import { joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { numberOf } from '../../kit/words/names.ts';
import type { Command } from '../../router/command.ts';
import type { CommandInteraction } from '../../router/interaction.ts';
import { type Action, actionMessage, noteAction, outcomeOf, refuseUnassignable } from './act.ts';

const NOTED = '#17 key had been rotated in vault, not here';

export function verbCommands(ctx: SlackCtx): Command[] {
  const common = { for: 'members', filters: [], usage: '<incident …>', examples: ['#17', '#17 #18'] } as const;
  const verb = (word: string, what: 'acknowledged' | 'reopened', about: string): Command => ({
    ...{ ...common, word, about },
    answer: ({ words }, interaction) => runVerbs(ctx, incidentNumbersIn(words, word), { what }, interaction),
  });
  const following = (word: string, action: 'followed' | 'unfollowed', about: string): Command => ({
    ...{ ...common, word, about },
    answer: async ({ words }, { userId, channelId: channel, reply }) => {
      const [does, already] = action === 'followed' ? ['Following', 'already'] : ['No longer following', 'not'];
      const lines = await linesOf(incidentNumbersIn(words, word), async (number) => {
        const { id: incidentId } = await incidentNumbered(ctx.db, number, ctx.now());
        const isNew = await follow(ctx, { incidentId, channel }, action, userId);
        const incident = numberOf(incidentId);
        return isNew ? mrkdwn`👣 ${does} ${incident}.` : mrkdwn`You were ${already} following ${incident}.`;
      });
      await reply.show(lines);
    },
  });
  return [
    verb('ack', 'acknowledged', 'acknowledge an incident: it stops mentioning people'),
    {
      ...common,
      word: 'resolve',
      usage: '<incident> [why]',
      about: 'resolve an incident, with a note why; what fails of it afterwards is a relapse',
      examples: ['#17', '#17 key is back'],
      follows: 'text',
      answer: async ({ text }, interaction) => {
        const [number, why] = numberAndText(text);
        const incidentId = incidentNumberIn(number, 'resolve');
        const noted = why === '' ? [] : [noteAction(why)];
        await runVerb(ctx, incidentId, [...noted, { what: 'resolved' }], interaction);
      },
    },
    {
      ...common,
      word: 'assign',
      usage: '<incident …> [@person]',
      about: 'assign incidents to somebody, who gets a direct message; to yourself without a name',
      examples: ['#17', '#17 #18 @ben'],
      answer: async (_line, interaction) => {
        const [, typed = ''] = /^\S+\s*(.*)$/su.exec(interaction.text.trim()) ?? [];
        const [, to = interaction.userId] = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/.exec(typed) ?? [];
        const words = typed
          .replace(/<@[^>]*>|(?<=\s)to(?=\s|$)/g, ' ')
          .split(/\s+/)
          .filter((word) => word !== '');
        const numbers = incidentNumbersIn(words, 'assign');
        await refuseUnassignable(ctx, to);
        await runVerbs(ctx, numbers, { what: 'assigned', to }, interaction);
      },
    },
    following('follow', 'followed', 'get a direct message when incidents end or come back'),
    following('unfollow', 'unfollowed', 'get no more direct messages about incidents that you follow'),
    verb('reopen', 'reopened', 'reopen an incident that somebody resolved'),
    {
      ...common,
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, also when the cause comes back',
      examples: [NOTED],
      follows: 'text',
      answer: async (line, interaction) => {
        const [number, text] = numberAndText(line.text);
        const incidentId = incidentNumberIn(number, 'note');
        await runVerb(ctx, incidentId, [noteAction(text, `/notif note ${NOTED}`)], interaction);
      },
    },
  ];
}

function numberAndText(typed: string): [readonly string[], string] {
  const [, number = '', text = ''] = /^(\S*)\s*(.*)$/su.exec(typed.trim()) ?? [];
  return [[number], text];
}

async function runVerbs(
  ctx: SlackCtx,
  incidentIds: readonly number[],
  action: IncidentAction,
  interaction: CommandInteraction,
): Promise<void> {
  const [only, ...others] = incidentIds;
  if (only !== undefined && others.length === 0) return runVerb(ctx, only, [action], interaction);
  const { channelId: channel, userId, reply } = interaction;
  const lines = linesOf(incidentIds, async (incidentId) => {
    return (await outcomeOf(ctx, { messageId: null, incidentId, channel }, action, userId)).words;
  });
  await reply.show(await lines);
}

/** A line each: an unknown number among several spoils none of the others. */
async function linesOf(incidentIds: readonly number[], line: (id: number) => Promise<Markup>): Promise<MessageContent> {
  const lines: Markup[] = [];
  const isAlone = incidentIds.length === 1;
  for (const id of incidentIds) lines.push(await (isAlone ? line(id) : line(id).catch(wordsIfUnknown)));
  return sentence(joined(lines, '\n'));
}

function wordsIfUnknown(error: unknown): Markup {
  if (error instanceof InputError) return mrkdwn`⚠️ ${error.message}`;
  throw error;
}

export async function runVerb(
  ctx: SlackCtx,
  incidentId: number,
  actions: readonly Action[],
  { channelId: channel, userId, reply }: CommandInteraction,
): Promise<void> {
  await reply.show(await actionMessage(ctx, { messageId: null, incidentId, channel }, actions, userId));
}
