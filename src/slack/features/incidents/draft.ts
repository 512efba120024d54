import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { incidentNumbered, workflowsHit } from '../../../incidents/lists.ts';
import { incidentIn, writeIncidentRef } from '../../../lib/input/typed-values.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { channelName, messageNoun } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { actions, context, preformatted, section } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { message } from '../../kit/message.ts';
import { namedProvider } from '../../kit/names.ts';
import { mrkdwn } from '../../kit/text.ts';
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
        preformatted(
          draftOf(incident, await workflowsHit(ctx.db, incident.id), timeZone, hasProvider ? provider : null),
        ),
        context('From what Notif knows. Read it before you publish it.'),
        ...actions([provider !== null && other]),
      ]);
    },
  };
}

const STATES = { firing: 'Investigating', recovering: 'Monitoring', unconfirmed: 'Monitoring', resolved: 'Resolved' };

/** A status page names neither errors nor people. */
export function draftOf(
  incident: IncidentNow,
  workflows: readonly string[],
  timeZone: string,
  provider: string | null,
): string {
  const { kind, channel, state, headline, wentThrough } = incident;
  const isFiring = state.is === 'firing';
  const hasFailures = kind === 'failures';
  const progress = isFiring && headline && hasFailures ? 'Identified' : STATES[state.is];
  const recovery = wentThrough > 0 ? 'New ones are arriving again' : 'We have seen no new problems since';
  const end = state.is === 'resolved' ? 'This is resolved.' : `${recovery}. We are watching it.`;
  return [
    `${progress}: problems with ${hasFailures ? `${channelName(channel)} ` : ''}notifications`,
    '',
    `${timesOf(incident, timeZone)}: ${effectOf(incident, workflows, provider)}`,
    hasFailures && `Kinds of messages: ${namesOf(workflows)}.`,
    isFiring ? 'We are working on it, and will post an update here.' : end,
    isFiring && 'If you wait for a code or a link, please try again later. Otherwise you need not do anything.',
  ]
    .filter((line) => line !== false)
    .join('\n');
}

const MOST_SPANS = 5;

/** Covers all outbreaks, since customers noticed the first. */
function timesOf({ state, beganAt, lastAt, earlier }: IncidentNow, timeZone: string): string {
  const dated = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone });
  const isFiring = state.is === 'firing';
  const spans = [...earlier, { from: beganAt, to: lastAt }];
  const [first = { from: beganAt, to: lastAt }] = spans;
  if (spans.length > MOST_SPANS) {
    const whole = isFiring ? `Since ${dated.format(first.from)}` : dated.formatRange(first.from, lastAt);
    return `${whole} (${timeZone}), with ${spans.length - 1} interruptions`;
  }
  const words = spans.map(({ from, to }, index) => {
    const before = spans[index - 1];
    const format = before && day.format(before.to) === day.format(from) ? times : dated;
    if (index < spans.length - 1 || !isFiring) return format.formatRange(from, to);
    return `${index === 0 ? 'Since' : 'since'} ${format.format(from)}`;
  });
  return `${new Intl.ListFormat('en-GB').format(words)} (${timeZone})`;
}

function effectOf(
  { kind, channel, state }: IncidentNow,
  workflows: readonly string[],
  provider: string | null,
): string {
  const isFiring = state.is === 'firing';
  if (kind === 'silence') {
    const which = workflows.length === 0 ? 'notifications' : `notifications of ${namesOf(workflows)}`;
    return `some ${which} may not ${isFiring ? 'be' : 'have been'} sent.`;
  }
  if (kind !== 'failures')
    return `we ${isFiring ? 'cannot' : 'could not'} see whether notifications arrive${isFiring ? '' : 'd'}. Some may be delayed or missing.`;
  const messages = channel === 'sms' ? 'text messages' : `${messageNoun(channel)}s`;
  const through = provider === null ? '' : ` sent through ${provider}`;
  return `some ${messages}${through} ${isFiring ? 'do' : 'did'} not arrive.`;
}

const MOST_NAMED = 3;

function namesOf(workflows: readonly string[]): string {
  const names = workflows.slice(0, MOST_NAMED).map((name) => maskedId(name || 'deleted workflow'));
  return `${names.join(', ')}${workflows.length > MOST_NAMED ? ' and others' : ''}`;
}
