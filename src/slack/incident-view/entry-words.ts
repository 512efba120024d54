import type { LineEvent, PersonalNews } from '../../alerts/content.ts';
import { GROWTH } from '../../alerts/decide.ts';
import type { IncidentAct, Occurrence } from '../../incidents/timeline.ts';
import { unreachedWords } from '../../lib/refusals.ts';
import { mutedTime, muteRange } from '../kit/mute-words.ts';
import { capitalized, numberOf } from '../kit/names.ts';
import { type Line, type Markup, mrkdwn, person, plural } from '../kit/text.ts';
import { time, timeNear } from '../kit/times.ts';
import { noteWords } from './incident-words.ts';
import { VERB_WORDS } from './verb-words.ts';

/** Why a person gets the message. */
const CONCERNED = 'You follow it, or you have it.';

/** The line that a thread gets for an event. The incident's own words follow it. */
export function eventWords(event: LineEvent): Line {
  if (event.is !== 'entry') {
    const words = event.is === 'escalated' ? '⏰ Still not acknowledged' : `📈 Up ${GROWTH}× or more`;
    return mrkdwn`${words} at ${time(event.at, 'time')}`;
  }
  const { actor, at, change } = event.entry;
  return change === null ? null : entryWords(change, actor, at);
}

/** What happened at `at`, in words. Those of an entry that isn't `isDated` leave the time out, which stands beside them. */
export function entryWords(
  change: Occurrence | IncidentAct,
  actor: string | null,
  at: Date,
  isDated: boolean = true,
): Markup {
  const when = isDated ? mrkdwn` at ${time(at, 'time')}` : '';
  const doer = actor === null ? '' : mrkdwn` by ${person(actor)}`;
  switch (change.action) {
    case 'began':
      return mrkdwn`🔴 First failure ${timeNear(change.failedAt, at, 'seconds')}${criticalWords(change)}`;
    case 'back':
      return mrkdwn`🔴 Back: failed again ${timeNear(change.failedAt, at, 'seconds')}${criticalWords(change)}`;
    case 'began-earlier':
      return mrkdwn`🔎 Began ${timeNear(change.failedAt, at)}, found later`;
    case 'failing-again':
      return mrkdwn`🔴 Failing again${isDated ? mrkdwn` since ${time(change.failedAt, 'time')}` : ''}`;
    case 'worse':
      return mrkdwn`📈 ${capitalized(change.badness)} now${when}: ${change.failed} of ${change.tried}`;
    case 'critical':
      return mrkdwn`🔴 A critical workflow fails${when}`;
    case 'recovering':
      return mrkdwn`⚪ No new ones since ${timeNear(change.lastFailedAt, at)}`;
    case 'unconfirmed':
      return mrkdwn`⚪ Not tried since ${timeNear(change.lastFailedAt, at)}`;
    case 'ended':
      return change.ending === 'recovered'
        ? mrkdwn`✅ Resolved: recovered${when}`
        : mrkdwn`⚪ Over${when}, though nothing shows that it works again`;
    case 'found-later':
      return change.failures > 0
        ? mrkdwn`🔎 +${change.failures} found later: ${plural(change.of, 'failure')}`
        : mrkdwn`🔎 ${-change.failures} were delivered after all: ${plural(change.of, 'failure')}`;
    case 'cause-clear':
      return mrkdwn`🔎 The cause became clear${when}: ${change.headline}`;
    case 'goes-on-as':
      return mrkdwn`➡️ Goes on as ${numberOf(change.other)}, the same cause`;
    case 'continues':
      return mrkdwn`➡️ ${numberOf(change.other)} is the same cause, and goes on here`;
    case 'caught-up':
      return mrkdwn`✅ Caught up${when}: ${plural(change.events, 'event')} checked, ${plural(change.failures, 'failure')} found`;
    case 'unreached':
      return mrkdwn`📵 ${person(change.to)} got no direct message about it: ${unreachedWords(change.code).why}`;
    case 'change-nearby':
      return mrkdwn`⚙️ Something was changed ${timeNear(change.changedAt, at, 'seconds')}`;
    case 'assigned':
      return mrkdwn`${VERB_WORDS.assigned.did} to ${person(change.to)}${actor === change.to ? '' : doer}${when}`;
    case 'noted':
      return mrkdwn`${VERB_WORDS.noted.did}${doer}${when}: ${noteWords(change)}`;
    case 'incident-muted':
      return mrkdwn`${VERB_WORDS.muted.did}${doer} ${mutedTime(muteRange(change, at))}`;
    case 'incident-unmuted':
      return mrkdwn`${VERB_WORDS.unmuted.did}${doer}${when}`;
    case 'sent-again':
      return mrkdwn`↻ ${plural(change.notifications, 'notification')} sent again${doer}${when}`;
    default:
      return mrkdwn`${VERB_WORDS[change.action].did}${doer}${when}`;
  }
}

const criticalWords = ({ critical }: { critical: boolean }): string => (critical ? ', critical' : '');

/** A direct message about an incident to somebody whom it concerns. */
export function newsWords(news: PersonalNews, at: Date): Markup {
  const when = time(at, 'time');
  switch (news.what) {
    case 'followed':
      return mrkdwn`👣 You follow this incident: you get a message here when it ends or comes back.`;
    case 'ended':
      return mrkdwn`✅ This incident ended at ${when}. ${CONCERNED}`;
    case 'back':
      return mrkdwn`🔴 This incident came back at ${when}. ${CONCERNED}`;
    case 'failing-again':
      return mrkdwn`🔴 This incident fails again since ${when}. ${CONCERNED}`;
    case 'every':
      return mrkdwn`📈 Every attempt failed at ${when}. ${CONCERNED}`;
    case 'critical':
      return mrkdwn`🔴 A critical workflow fails since ${when}. ${CONCERNED}`;
    case 'escalated':
      return mrkdwn`⏰ At ${when}, nobody had acknowledged this incident. ${CONCERNED}`;
    case 'unacknowledged':
      return mrkdwn`↩️ ${person(news.actor)} unacknowledged this incident, which you had acknowledged.`;
    case 'assigned':
      return mrkdwn`🙋 ${person(news.actor)} assigned this incident to you.`;
    case 'taken':
      return news.actor === news.to
        ? mrkdwn`🙋 ${person(news.actor)} took this incident, which you had.`
        : mrkdwn`🙋 ${person(news.actor)} assigned this incident, which you had, to ${person(news.to)}.`;
  }
}
