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

/** So many workflows are named. */
const MOST_NAMED = 3;

/** The times of so many outbreaks are given, and beyond that only the whole time. */
const MOST_SPANS = 5;

/** Channels by which people get codes and links that they wait for. */
const CODES_COME_BY = ['email', 'sms'];

/** What stands before the value of a label that all messages have; null: it says nothing to customers. */
const SHARED_WORDS = {
  context: 'of',
  topic: 'of the topic',
  tag: 'of the kind',
  severity: null,
  domain: 'to addresses at',
};

/** The words of status pages. */
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
  const hasFailures = kind === 'failures';
  const isIdentified = state.is === 'firing' && hasFailures && headline !== null;
  const progress = isIdentified ? 'Identified' : STATES[state.is];
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
  const what = shared && SHARED_WORDS[shared.label.kind];
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
  if (earlier.length >= MOST_SPANS) {
    const from = earlier[0]?.from ?? beganAt;
    const whole = isFiring ? `Since ${dated.format(from)}` : dated.formatRange(from, lastAt);
    return `${whole} (${timeZone}), with ${earlier.length} interruptions`;
  }
  const spans = [...earlier, { from: beganAt, to: lastAt }];
  const words = spans.map(({ from, to }, index) => {
    const before = spans[index - 1];
    const isOfSameDay = before !== undefined && day.format(before.to) === day.format(from);
    const format = isOfSameDay ? times : dated;
    const isOpen = isFiring && index === spans.length - 1;
    if (!isOpen) return format.formatRange(from, to);
    return `${index === 0 ? 'Since' : 'since'} ${format.format(from)}`;
  });
  return `${new Intl.ListFormat('en-GB').format(words)} (${timeZone})`;
}

/** What customers notice. */
function effectOf(incident: IncidentNow, hit: WholeHit, provider: string | null): string {
  const isFiring = incident.state.is === 'firing';
  if (incident.kind === 'failures') return failuresEffect(incident, hit, provider);
  if (incident.kind === 'silence') {
    const missing = hit.workflows.length === 0 ? 'notifications' : `notifications of ${namesOf(hit.workflows)}`;
    return `some ${missing} may not ${isFiring ? 'be' : 'have been'} sent.`;
  }
  const unseen = isFiring ? 'cannot see whether notifications arrive' : 'could not see whether notifications arrived';
  return `we ${unseen}. Some may be delayed or missing.`;
}

function failuresEffect(incident: IncidentNow, { worst }: WholeHit, provider: string | null): string {
  const { channel, state, badness, verdict } = incident;
  const isFiring = state.is === 'firing';
  const noun = channel === 'sms' ? 'text message' : messageNoun(channel);
  const isOne = totalFailures(incident) === 1;
  const trouble = troubleOf(verdict, { isFiring, isOne });
  const through = provider === null ? null : `sent through ${provider}`;
  const isTotal = (isFiring ? badness : worst) === 'every';
  if (isTotal) return `nearly all ${noun}s ${through ?? 'of these kinds'} ${trouble}.`;
  const some = isOne ? `one ${noun}` : `some ${noun}s`;
  const hit = through === null ? some : `${some} ${through}`;
  const before = worst === 'every' ? ' For a time, nearly none did.' : '';
  return `${hit} ${trouble}.${before}`;
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
