import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { incidentIn, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered, type WholeHit, wholeHit } from '../../../incidents/lists.ts';
import type { RecordedVerdict } from '../../../judging/verdict.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { channelName, messageNoun } from '../../../service/channels.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { totalFailures } from '../../incident-view/incident-words.ts';
import { actions, context, preformatted, section } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { message } from '../../kit/message.ts';
import { namedProvider } from '../../kit/names.ts';
import { mrkdwn } from '../../kit/text.ts';
import type { Command } from '../../router/command.ts';

/** Of workflows, by their names. */
const MOST_NAMED = 3;

/** Of outbreaks, by their times. */
const MOST_SPANS = 5;

const CODES_COME_BY = ['email', 'sms'];

const SHARED = { context: 'of', topic: 'of the topic', tag: 'of the kind', severity: null, domain: 'to addresses at' };

const STATES = { firing: 'Investigating', recovering: 'Monitoring', unconfirmed: 'Monitoring', resolved: 'Resolved' };

export function draftCommand(ctx: SlackCtx): Command {
  return {
    word: 'draft',
    purpose: 'incident',
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
        preformatted(draftOf(incident, await wholeHit(ctx.db, incident.id), timeZone, hasProvider ? provider : null)),
        context('From what Notif knows. Read it before you publish it.'),
        ...actions([provider !== null && other]),
      ]);
    },
  };
}

/** A status page names neither errors nor people. */
export function draftOf(incident: IncidentNow, hit: WholeHit, timeZone: string, provider: string | null): string {
  const { kind, channel, state, headline } = incident;
  const isFiring = state.is === 'firing';
  const hasFailures = kind === 'failures';
  const progress = isFiring && headline && hasFailures ? 'Identified' : STATES[state.is];
  return [
    `${progress}: problems with ${hasFailures ? `${channelName(channel)} ` : ''}notifications`,
    '',
    `${timesOf(incident, timeZone)}: ${effectOf(incident, hit, provider)}`,
    hasFailures && `Kinds of messages: ${namesOf(hit.workflows)}.`,
    sharedBy(incident),
    ...nextOf(incident),
  ]
    .filter((line) => line !== null && line !== false)
    .join('\n');
}

function sharedBy({ shared }: IncidentNow): string | null {
  const what = shared && SHARED[shared.label.kind];
  if (shared === null || what === null) return null;
  return `${shared.events === shared.total ? 'All' : 'Nearly all'} of them are ${what} ${maskedId(shared.label.value)}.`;
}

/** What the state means for who waits for a message. */
function nextOf({ kind, channel, state, wentThrough }: IncidentNow): readonly string[] {
  const hasFailures = kind === 'failures';
  const canHoldCode = !hasFailures || CODES_COME_BY.includes(channel);
  const missing = canHoldCode ? ['If you still miss a code or a link from that time, please ask for a new one.'] : [];
  switch (state.is) {
    case 'firing':
      return [
        'We are working on it, and will post an update here.',
        canHoldCode
          ? 'If you wait for a code or a link, please try again later. Otherwise you need not do anything.'
          : 'You need not do anything.',
      ];
    case 'resolved':
      return ['This is resolved.', ...(hasFailures ? missing : [])];
    case 'unconfirmed':
      return ['We have seen no new problems since, but too few messages to be sure. We are watching it.'];
    case 'recovering':
      if (wentThrough === 0) return ['We have seen no new problems since. We are watching it.'];
      return ['New ones are arriving again. We are watching it.', ...missing];
  }
}

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

function effectOf(incident: IncidentNow, { workflows, worst }: WholeHit, provider: string | null): string {
  const { kind, channel, state, badness, verdict } = incident;
  const isFiring = state.is === 'firing';
  if (kind === 'silence') {
    const missing = workflows.length === 0 ? 'notifications' : `notifications of ${namesOf(workflows)}`;
    return `some ${missing} may not ${isFiring ? 'be' : 'have been'} sent.`;
  }
  if (kind !== 'failures')
    return `we ${isFiring ? 'cannot' : 'could not'} see whether notifications arrive${isFiring ? '' : 'd'}. Some may be delayed or missing.`;
  const noun = channel === 'sms' ? 'text message' : messageNoun(channel);
  const messages = `${noun}s`;
  const through = provider === null ? ' of these kinds' : ` sent through ${provider}`;
  const isTotal = (isFiring ? badness : worst) === 'every';
  const isOne = totalFailures(incident) === 1;
  const some = isOne ? `one ${noun}` : `some ${messages}`;
  const hit = isTotal ? `nearly all ${messages}${through}` : `${some}${provider === null ? '' : through}`;
  const before = worst === 'every' && !isTotal ? ' For a time, nearly none did.' : '';
  return `${hit} ${troubleOf(verdict, { isFiring, isOne })}.${before}`;
}

/** What became of the messages: those that are stuck can arrive yet. */
function troubleOf(verdict: RecordedVerdict, { isFiring, isOne }: { isFiring: boolean; isOne: boolean }): string {
  const [isOrWas, areOrWere] = isFiring ? ['is', 'are'] : ['was', 'were'];
  if (verdict === 'stuck') return `${isOne ? isOrWas : areOrWere} delayed`;
  if (!isFiring) return 'did not arrive';
  return `${isOne ? 'does' : 'do'} not arrive`;
}

function namesOf(workflows: readonly string[]): string {
  const names = workflows.slice(0, MOST_NAMED).map((name) => maskedId(name || 'deleted workflow'));
  return `${names.join(', ')}${workflows.length > MOST_NAMED ? ' and others' : ''}`;
}
