import type { IncidentNow } from '../../../incidents/incident.ts';
import { incidentOfFailures } from '../../../incidents/lists.ts';
import { incidentNumberIn } from '../../../lib/input/typed-values.ts';
import { clockTime, weekdayAndDay } from '../../../lib/time/wall-clock.ts';
import { channelName } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-words.ts';
import { actions, context, preformatted, section } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { message } from '../../kit/message.ts';
import { mrkdwn } from '../../kit/text.ts';
import { messageOf, namedProvider, workflowNameOf } from '../../kit/words/names.ts';
import type { Command } from '../../router/command.ts';

export function draftCommand(ctx: SlackCtx): Command {
  return {
    word: 'draft',
    usage: '<incident> [provider]',
    about: 'a text about an incident for a status page, to copy; it names the provider only if you say so',
    examples: ['#17', '#17 provider'],
    for: 'members',
    filters: [],
    answer: async ({ words, timeZone }, { reply }) => {
      const hasProvider = words.at(-1)?.toLowerCase() === 'provider';
      const number = incidentNumberIn(hasProvider ? words.slice(0, -1) : words, 'draft');
      const incident = await incidentOfFailures(ctx.db, number, ctx.now());
      const provider = namedProvider(incident.provider);
      const other = hasProvider
        ? runButton('Without the provider', `draft "#${number}"`)
        : runButton('Name the provider', `draft "#${number}" provider`);
      const draft = message([
        section(mrkdwn`Draft update · ${incidentHeading(incident, ctx.environments)}`),
        preformatted(draftOf(incident, timeZone, hasProvider ? provider : null)),
        context(mrkdwn`From what Notif knows. Read it before you publish it.`),
        ...actions([provider !== null && other]),
      ]);
      await reply.show(draft);
    },
  };
}

const STATES = { firing: 'Investigating', recovering: 'Monitoring', unconfirmed: 'Monitoring', resolved: 'Resolved' };

/** In the words of a status page, without errors and people. */
function draftOf(incident: IncidentNow, timeZone: string, provider: string | null) {
  const { channel, startedAt, workflows, moreWorkflows, state, attempts, headline } = incident;
  const at = (time: Date) => `${clockTime(time, timeZone)} (${timeZone}) on ${weekdayAndDay(time, timeZone)}`;
  const isFiring = state.is === 'firing';
  const isAll = attempts !== null && attempts.failed >= attempts.tried;
  const kind = isFiring && headline !== null ? 'Identified' : STATES[state.is];
  const via = provider === null ? '' : ` sent through ${provider}`;
  const names = workflows.map(workflowNameOf).join(', ');
  const does = `${isFiring ? 'do' : 'did'} not arrive`;
  const ends = {
    firing: 'We are working on it, and will post an update here.',
    recovering: 'They arrive again, and we are watching it.',
    unconfirmed: 'We have seen no new problems, and are watching it.',
    resolved: state.is === 'resolved' ? `This has been resolved since ${at(state.at)}.` : '',
  };
  return [
    `${kind}: problems with ${channelName(channel)} notifications`,
    '',
    `Since ${at(startedAt)}, ${isFiring && isAll ? '' : 'some '}${messageOf(channel)}s${via} ${does}.`,
    `Kinds of messages: ${names}${moreWorkflows > 0 ? ` and ${moreWorkflows} more` : ''}.`,
    ends[state.is],
    isFiring ? 'You need not do anything. If you wait for a code or a link, please try again later.' : '',
  ]
    .join('\n')
    .trim();
}
