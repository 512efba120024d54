import { muteRunningIn } from '../../../alerts/holds.ts';
import { watchOfMessage } from '../../../alerts/thread-incidents.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { IncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { act, follow, type IncidentVerb, type VerbTarget } from '../../../incidents/verbs.ts';
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
import { VERB_WORDS } from '../../incident-view/verb-words.ts';
import type { CommandInteraction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { mutedWords, watchNumbers } from '../../kit/mute-words.ts';
import { numberOf } from '../../kit/names.ts';
import { joined, type Markup, mrkdwn, person, present } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';

export const NOTE_EXAMPLE = '#17 key had been rotated in vault, not here';

export const MUTE_BREAKS = 'or until it ends, comes back, hits a critical workflow or fails every time';

/** What a person does to an incident, or to how a watch or they themselves hear of it. */
export type Verb =
  | IncidentVerb
  | { what: 'muted'; time: MuteTime }
  | { what: 'unmuted' }
  | { what: 'followed' }
  | { what: 'unfollowed' };

export const LONGEST_NOTE = 200;

export function noteVerb(typed: string): IncidentVerb {
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
  verbs: readonly Verb[],
  { channelId: channel, userId }: CommandInteraction,
): Promise<MessageContent> {
  const target = (ref: IncidentRef): Target => ({ messageId: null, ...ref, channel, userId });
  const [first, ...others] = refs;
  if (first !== undefined && others.length === 0) return verbMessage(ctx, target(first), verbs);
  const lines: Markup[] = [];
  for (const ref of refs) {
    try {
      lines.push((await runEach(ctx, target(ref), verbs)).words);
    } catch (error) {
      // One unknown number doesn't stop the others.
      if (!(error instanceof InputError)) throw error;
      lines.push(mrkdwn`⚠️ ${error.message}`);
    }
  }
  return asMessage(lines);
}

type Target = VerbTarget & { userId: string };

/** What the verbs did. If the last one found it so already, the incident's row says since when, and by whom. */
export async function verbMessage(ctx: SlackCtx, target: Target, verbs: readonly Verb[]): Promise<MessageContent> {
  const { words, isChanged } = await runEach(ctx, target, verbs);
  return isChanged ? asMessage(words) : incidentCard(ctx, target, target.channel ?? null, words);
}

interface VerbOutcome {
  words: Markup;
  isChanged: boolean;
}

async function runEach(ctx: SlackCtx, target: Target, verbs: readonly Verb[]): Promise<VerbOutcome> {
  const lines: Markup[] = [];
  let isChanged = false;
  for (const verb of verbs) {
    const incident = await incidentNumbered(ctx.db, target, ctx.now());
    const changed = await runVerb(ctx, incident, target, verb);
    isChanged = changed !== null;
    // Somebody else may have done it since it was read.
    lines.push(changed ?? unchangedWords(await incidentNumbered(ctx.db, target, ctx.now()), verb));
  }
  return { words: joined(lines, '\n'), isChanged };
}

/** Of these, a resolved incident says that it is resolved. */
const OF_UNRESOLVED: readonly Verb['what'][] = ['resolved', 'acknowledged', 'unacknowledged'];

function unchangedWords(incident: IncidentNow, { what }: Verb): Markup {
  const { id, state, acknowledged, assignedTo, asOf } = incident;
  const resolved = state.is === 'resolved' && OF_UNRESOLVED.includes(what) ? state : null;
  const { unchanged } = VERB_WORDS[resolved === null ? what : 'resolved'];
  const since = (actor: string | null, at: Date): Markup =>
    joined([actor === null ? '' : mrkdwn` by ${person(actor)}`, mrkdwn`, ${timeNear(at, asOf)}`], '');
  const words = mrkdwn`${numberOf(id)} ${unchanged}`;
  if (resolved !== null) return mrkdwn`${words}${since(resolved.actor, resolved.at)}.`;
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
async function runVerb(ctx: SlackCtx, incident: IncidentNow, target: Target, verb: Verb): Promise<Markup | null> {
  const { incidentId, userId } = target;
  const name = mrkdwn`${numberOf(incidentId)} ${subjectName(incident)}`;
  const { did, effect = null } = VERB_WORDS[verb.what];
  if (verb.what === 'muted') {
    const watches = await watchesFor(ctx, target, incident);
    const muted = await muteIn(ctx, { watches, target: incidentTarget(incidentId) }, verb.time, userId);
    if (muted.watches.length === 0) return null;
    const breaks = muted.isPlanned ? 'whatever becomes of it' : MUTE_BREAKS;
    return mrkdwn`${did} ${name} in ${mutedWords(muted)}, ${breaks}. You'll get what you missed then.`;
  }
  if (verb.what === 'unmuted') {
    const watches = await watchesFor(ctx, target, incident);
    const unmuted = await setMutes(ctx, { watches, target: incidentTarget(incidentId) }, { actor: userId, time: null });
    if (unmuted.length === 0) return null;
    return mrkdwn`${did} ${name} in ${watchNumbers(unmuted)}. You'll get what you missed.`;
  }
  if (verb.what === 'followed' || verb.what === 'unfollowed')
    return (await follow(ctx, target, verb.what, userId)) ? mrkdwn`${did} ${name}.` : null;
  if (!(await act(ctx, target, verb, userId))) return null;
  if (verb.what === 'noted') return mrkdwn`📝 Note added to ${name}: ${noteWords(verb)}.`;
  const to = verb.what === 'assigned' ? mrkdwn` to ${person(verb.to)}` : '';
  return joined([mrkdwn`${did} ${name}${to}.`, effect], ' ');
}

/** The watch of the message that has the row, else those of the channel that are about the environment. */
async function watchesFor(
  { db }: SlackCtx,
  { messageId, channel }: Pick<VerbTarget, 'messageId' | 'channel'>,
  { environment }: IncidentNow,
): Promise<readonly Watch[]> {
  if (messageId !== null) return present([await watchOfMessage(db, messageId)]);
  const here = channel == null ? [] : await watchesIn(db, channel);
  return here.filter(({ settings }) => isAbout(settings.filter, environment));
}
