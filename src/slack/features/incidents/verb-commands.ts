import { type IncidentRef, incidentIn, incidentsIn } from '../../../incidents/incident-ref.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { CommandInteraction } from '../../kit/interaction.ts';
import type { MessageContent } from '../../kit/message.ts';
import type { Command } from '../../router/command.ts';
import { NOTE_EXAMPLE, noteVerb, refuseUnassignable, runVerbs } from './run-verb.ts';

export function verbCommands(ctx: SlackCtx): Command[] {
  const common = {
    purpose: 'incident',
    for: 'members',
    filters: [],
    usage: '<incident …>',
    examples: ['#17', '#17 #18'],
  } as const;
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
        const noted = rest === '' ? [] : [noteVerb(rest)];
        return runVerbs(ctx, [ref], [...noted, { what: 'resolved' }], interaction);
      },
    },
    {
      ...common,
      word: 'assign',
      usage: '<incident …> [@person]',
      about: 'assign incidents to somebody, who gets a direct message; to yourself without a name',
      examples: ['#17 me', '#17 #18 @ben'],
      answer: ({ words }, interaction) => assign(ctx, words, interaction),
    },
    verb('follow', 'followed', 'get a direct message now, and when incidents end or come back'),
    verb('unfollow', 'unfollowed', 'get no more direct messages about incidents that you follow'),
    verb('reopen', 'reopened', 'reopen an incident that somebody resolved'),
    {
      ...common,
      word: 'note',
      usage: '<incident> <text>',
      about: 'add a note to an incident: its row shows it, also when the cause comes back',
      examples: [NOTE_EXAMPLE],
      follows: 'text',
      answer: async ({ text }, interaction) => {
        const { ref, rest } = incidentAndText(text, 'note');
        return runVerbs(ctx, [ref], [noteVerb(rest)], interaction);
      },
    },
  ];
}

async function assign(
  ctx: SlackCtx,
  words: readonly string[],
  interaction: CommandInteraction,
): Promise<MessageContent> {
  const [, assignee] = /<@([UW][A-Z0-9]+)/.exec(interaction.text) ?? [];
  const isAssignee = (word: string) => assignee !== undefined && /^<?@/.test(word);
  const others = words.filter((word) => !isAssignee(word) && !/^(?:to|me|myself)$/i.test(word));
  const incidents = incidentsIn(others, 'assign');
  const to = assignee ?? interaction.userId;
  await refuseUnassignable(ctx, to);
  return runVerbs(ctx, incidents, [{ what: 'assigned', to }], interaction);
}

/** '#17 key is back' is an incident and a text about it. */
function incidentAndText(typed: string, command: string): { ref: IncidentRef; rest: string } {
  const [, number = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(typed.trim()) ?? [];
  return { ref: incidentIn([number], command), rest };
}
