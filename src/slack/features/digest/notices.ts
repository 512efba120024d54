import type { ChangesContent, GapContent, SilenceContent, WatchEndedContent } from '../../../digests/message.ts';
import { explainGap } from '../../../health/explain.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { Gap, GapCause } from '../../../polling/gap.ts';
import type { Mention, WatchEnd } from '../../../watches/settings.ts';
import { context, type MessageContent, message, section } from '../../kit/blocks.ts';
import { changedWhen, changedWords } from '../../kit/incident/cause-words.ts';
import { badge, channelLink, code, joined, type Markup, mention, mrkdwn, plural } from '../../kit/text.ts';
import { datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';

/** Its first line has times, which a header can't localize. */
export function gapMessage({ gap, mention: whom }: GapContent, environments: readonly Environment[]): MessageContent {
  const { label } = labelled(gap.environment, environments);
  return notice(whom, linesOf(gap, label, reasonOf(gap, environments)));
}

export function silenceMessage(content: SilenceContent, environments: readonly Environment[]): MessageContent {
  const { environment, since, until, usualMs, mention: whom } = content;
  const { label } = labelled(environment, environments);
  const from = time(since, 'day');
  const usual = mrkdwn`The longest pause in the week before was ${describeDuration(usualMs)}.`;
  if (until !== null)
    return notice(null, [mrkdwn`✅ *${label} has events again, ${time(until, 'day')}*: none since ${from}`, usual]);
  const next = mrkdwn`→ Check what triggers events: notifications may not be asked for at all.`;
  return notice(whom, [mrkdwn`⚠️ *${label} has had no event since ${from}*, which is unusual`, usual, next]);
}

function notice(whom: Mention | null, lines: readonly Markup[]): MessageContent {
  const called = whom === null ? [] : [mention(whom)];
  return message(joined([...called, ...lines], ' '), [
    ...called.map((person) => section(person)),
    section(joined(lines, '\n')),
  ]);
}

function linesOf(gap: Gap, label: string, { why, next }: { readonly why: string; readonly next: Markup[] }): Markup[] {
  const { from, to, cause, closedAt, givenUp, unchecked, failures } = gap;
  if (to === null) {
    const since = time(from, 'day');
    const title = isAway(cause)
      ? mrkdwn`🔴 *${label} doesn't answer since ${since}* (${why}): nothing is checked, and probably nothing is sent`
      : mrkdwn`🔴 *${label} can't be checked since ${since}* (${why}): what fails is not known`;
    return [title, ...next, mrkdwn`Missed failures will be reported once it's back.`];
  }
  const was = mrkdwn`${time(from, 'day')}–${timeNear(to, from)} (${why})`;
  if (closedAt === null) {
    return [
      mrkdwn`⏳ *${label} wasn't checked ${was}: catching up*`,
      ...(unchecked.length === 0 ? [] : [mrkdwn`Still to be checked: ${windowsWords(unchecked, datedWindow)}.`]),
      ...(gap.events === 0 ? [] : [mrkdwn`So far ${foundWords(gap)}.`]),
    ];
  }
  if (givenUp.length > 0) {
    return [
      mrkdwn`⚠️ *${label} wasn't checked ${was}, and part of that time stays unchecked*`,
      mrkdwn`*Not recovered: ${windowsWords(givenUp, datedWindow)}.* Failures in that window were never reported.`,
      mrkdwn`The rest: ${foundWords(gap)}.`,
    ];
  }
  const length = describeDuration(to.getTime() - from.getTime());
  const again = isAway(cause)
    ? mrkdwn`*${label} answers again, ${time(to, 'day')}*`
    : mrkdwn`*${label} is checked again, ${time(to, 'day')}* (${why})`;
  if (gap.events === 0)
    return [mrkdwn`⚠️ ${again} · ${length} caught up, and not one event was created in it, which is unusual`];
  const found =
    failures === 0 ? mrkdwn`no failures found` : mrkdwn`${plural(failures, 'failure')} found, alerted above`;
  return [mrkdwn`✅ ${again} · ${length} caught up · ${found}`];
}

/** Otherwise it answers, and may well send. */
function isAway(cause: GapCause): boolean {
  return cause === 'unreachable' || cause === 'timed-out' || cause === 'gateway' || cause === 'service-error';
}

function foundWords({ events, failures }: Gap): Markup {
  return mrkdwn`${plural(events, 'event')} checked, ${failures} failed`;
}

/** An environment that is no longer configured has no variables to check. */
function reasonOf(gap: Gap, environments: readonly Environment[]): { readonly why: string; readonly next: Markup[] } {
  const environment = environments.find(({ name }) => name === gap.environment);
  const { why, next } = explainGap(
    gap.cause,
    environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' },
  );
  return { why, next: next === '' ? [] : [mrkdwn`${next}`] };
}

/** Further changes are only counted; `/notif changes` lists them. */
const MOST_SHOWN = 10;

export function changesMessage(
  { environment, changes }: ChangesContent,
  environments: readonly Environment[],
): MessageContent {
  const shown = changes.slice(0, MOST_SHOWN);
  const more = changes.length - shown.length;
  const title = mrkdwn`${badge(labelled(environment, environments))} · ${plural(changes.length, 'change')}`;
  return message(joined([title, ...shown.map(({ what }) => changedWords(what))], '. '), [
    section(title),
    ...shown.map((change) => section(joined([changedWords(change.what), changedWhen(change)], '\n'))),
    ...(more === 0 ? [] : [context(mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`)]),
  ]);
}

const ENDS: { readonly [Why in WatchEnd]: { readonly why: string; readonly fix: string } } = {
  'channel-archived': { why: 'the channel is archived', fix: 'Unarchive the channel' },
  'channel-restricted': {
    why: "the channel's posting permissions keep Notif out",
    fix: 'Let Notif post in the channel',
  },
  'channel-left': { why: 'Notif is no longer in the channel', fix: 'Invite Notif to the channel' },
  'channel-unknown': {
    why: "Slack doesn't know the channel, or doesn't show it to Notif",
    fix: 'Invite Notif if the channel is private, or choose another one if it was deleted',
  },
};

/** For the watch's creator, or the person who can take care of the configured one. */
export function watchEndedMessage({ watch, why: end }: WatchEndedContent): MessageContent {
  const channel = channelLink(watch.channel);
  const { why, fix } = ENDS[end];
  const lines =
    watch.createdBy === null
      ? [
          mrkdwn`⚠️ *Alerts for ${channel} can't be posted: ${why}.*`,
          mrkdwn`${fix}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying, and nothing is lost meanwhile.`,
        ]
      : [
          mrkdwn`⚠️ *Your watch in ${channel} was removed: ${why}.*`,
          mrkdwn`It no longer sends alerts. ${fix}, then create it again there: ${code('/notif watch')}.`,
        ];
  return message(joined(lines, ' '), [section(joined(lines, '\n'))]);
}
