import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { incidentIn, writeIncidentRef } from '../../../lib/input/typed-values.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { channelName, messageNoun } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-words.ts';
import { actions, context, preformatted, runButton, section } from '../../kit/blocks.ts';
import { message } from '../../kit/message.ts';
import { mrkdwn } from '../../kit/text.ts';
import { namedProvider } from '../../kit/words.ts';
import type { Command } from '../../router/command.ts';

export function draftCommand(ctx: SlackCtx): Command {
  return {
    word: 'draft',
    usage: '<incident> [provider]',
    about: 'a text about an incident for a status page, to copy; it names the provider only if you say so',
    examples: ['#17', '#17 provider'],
    for: 'members',
    filters: [],
    answer: async ({ words, timeZone }) => {
      const hasProvider = words.at(-1)?.toLowerCase() === 'provider';
      const ref = incidentIn(hasProvider ? words.slice(0, -1) : words, 'draft');
      const incident = await incidentNumbered(ctx.db, ref, ctx.now());
      const name = `#${writeIncidentRef(refOf(incident))}`;
      const provider = namedProvider(incident.provider);
      const other = hasProvider
        ? runButton('Without the provider', `draft "${name}"`)
        : runButton('Name the provider', `draft "${name}" provider`);
      return message([
        section(mrkdwn`Draft update · ${incidentHeading(incident, ctx.environments)}`),
        preformatted(draftOf(incident, timeZone, hasProvider ? provider : null)),
        context('From what Notif knows. Read it before you publish it.'),
        ...actions([provider !== null && other]),
      ]);
    },
  };
}

const STATES = { firing: 'Investigating', recovering: 'Monitoring', unconfirmed: 'Monitoring', resolved: 'Resolved' };

/** A status page names neither errors nor people. */
export function draftOf(incident: IncidentNow, timeZone: string, provider: string | null) {
  const { channel, startedAt, lastAt, workflows, moreWorkflows, state, headline, outage } = incident;
  const isFiring = state.is === 'firing';
  const kind = isFiring && headline && !outage ? 'Identified' : STATES[state.is];
  const messages = channel === 'sms' ? 'text messages' : `${messageNoun(channel)}s`;
  const what = `some ${messages}${provider ? ` sent through ${provider}` : ''}`;
  const names = workflows.map(({ workflow, workflowName }) => maskedId(workflowName ?? workflow ?? 'deleted workflow'));
  const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const span = isFiring ? `Since ${times.format(startedAt)}` : times.formatRange(startedAt, lastAt);
  const when = `${span} (${timeZone})`;
  const recovery = incident.wentThrough > 0 ? 'New ones are arriving again' : 'We have seen no new problems since';
  const end = state.is === 'resolved' ? 'This is resolved.' : `${recovery}. We are watching it.`;
  const unseen = `we ${isFiring ? 'cannot' : 'could not'} see whether notifications arrive${isFiring ? '' : 'd'}`;
  return [
    `${kind}: problems with ${outage ? '' : `${channelName(channel)} `}notifications`,
    '',
    outage
      ? `${when}: ${unseen}. Some may be delayed or missing.`
      : `${when}: ${what} ${isFiring ? 'do' : 'did'} not arrive.`,
    !outage && `Kinds of messages: ${names.join(', ')}${moreWorkflows > 0 ? ' and others' : ''}.`,
    isFiring ? 'We are working on it, and will post an update here.' : end,
    isFiring && 'If you wait for a code or a link, please try again later. Otherwise you need not do anything.',
  ]
    .filter((line) => line !== false)
    .join('\n');
}
