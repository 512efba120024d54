import type { Acknowledgment } from '../../domain/incidents/episode.ts';
import type {
  Acknowledging,
  ActionTarget,
  Assigning,
  Noting,
  Resolving,
  Stale,
  TargetNow,
  Unacknowledging,
} from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { Muting, Unmuting } from '../../use-cases/incidents/mute-group.ts';
import type { MutedWatch } from '../../use-cases/watches/mute-watches.ts';
import { actions, button, type MessageContent, message, section } from '../blocks/blocks.ts';
import { writeSubject } from '../blocks/incident/incident-menu.ts';
import { incidentRow, incidentSentence } from '../blocks/incident/incident-row.ts';
import { noteWords } from '../blocks/incident/last-time.ts';
import { muteEnd } from '../blocks/incident/state-words.ts';
import { code, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { mutedWatches } from '../blocks/words/muted-watches.ts';

/** [Show it as it is now]: the group's newest episode, under a button of an old row. */
export const SHOW_NOW = 'group.show-now';

/** The outcome of 'Acknowledge'. */
export function acknowledgingMessage(done: Acknowledging, subject: ActionTarget, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return told(mrkdwn`👀 Acknowledged. Everyone can see it, and it stops mentioning people.`);
    case 'already':
      return told(mrkdwn`👀 ${person(done.acknowledged.by)} acknowledged this ${ago(done.acknowledged, now)}.`);
    default:
      return staleMessage(done, subject);
  }
}

/** The outcome of 'Take back'. */
export function unacknowledgedMessage(done: Unacknowledging, subject: ActionTarget, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return told(
        mrkdwn`↩️ You removed the acknowledgment by ${person(done.acknowledged.by)}. Everyone can see it, and its watches mention people again.`,
      );
    case 'already':
      return done.unacknowledged === null
        ? told(mrkdwn`This isn't acknowledged.`)
        : told(
            mrkdwn`↩️ ${person(done.unacknowledged.by)} took the acknowledgment back ${ago(done.unacknowledged, now)}.`,
          );
    default:
      return staleMessage(done, subject);
  }
}

/** The outcome of the form for assigning; `isInformed`: whether they got the direct message. */
export function assigningMessage(done: Assigning, subject: ActionTarget, isInformed: boolean): MessageContent {
  if (done.is !== 'done') return staleMessage(done, subject);
  const { to } = done.assigned;
  const about = isInformed ? mrkdwn`` : mrkdwn` Slack took no direct message for them, so let them know.`;
  return told(mrkdwn`🙋 Assigned to ${person(to)}.${about}`);
}

/** To somebody to whom an incident was assigned: by whom, and the incident. */
export function assignedToYou({ newest }: TargetNow, by: string): MessageContent {
  return underWords(mrkdwn`🙋 ${person(by)} assigned this incident to you.`, newest);
}

/** To somebody whose acknowledgment was taken back: by whom, and the incident. */
export function yourAcknowledgmentRemoved({ newest }: TargetNow, by: string): MessageContent {
  return underWords(mrkdwn`↩️ ${person(by)} took back your acknowledgment of this incident.`, {
    ...newest,
    acknowledged: null,
  });
}

function underWords(words: Markup, now: IncidentNow): MessageContent {
  const row = incidentRow(now, { deliveryId: '', reason: null, cause: null, namesPeople: true, isTerse: true });
  return message(joined([words, incidentSentence(now, null)], ' '), [section(words), ...row]);
}

/** The outcome of 'Resolve'. */
export function resolvingMessage(done: Resolving): MessageContent {
  switch (done.is) {
    case 'done':
      return told(mrkdwn`✅ Resolved. Everyone can see it; if it fails again, that's announced as a relapse.`);
    case 'already':
      return told(
        done.by === null ? mrkdwn`✅ It has recovered by itself.` : mrkdwn`✅ ${person(done.by)} resolved this.`,
      );
    case 'forgotten':
      return FORGOTTEN;
  }
}

/** The outcome of a note: as it's kept, since a secret or a contact in it is masked. */
export function notingMessage(done: Noting): MessageContent {
  if (done.is === 'forgotten') return FORGOTTEN;
  return told(
    mrkdwn`📝 Note added: ${noteWords(done.note)}. Everyone who sees this incident sees it, and again when the same cause comes back.`,
  );
}

/** The outcome of the form for a mute. */
export function mutingMessage(done: Muting): MessageContent {
  if (done.is !== 'muted') return done.is === 'forgotten' ? FORGOTTEN : WATCH_ENDED;
  return told(
    mrkdwn`🔕 Muted in this watch until ${muteEnd(done.mute)}. You'll get what you missed then. To end it sooner: ⋯ > ${code('Unmute')}.`,
  );
}

/** The outcome of `/notif mute <incident>`. */
export function mutedHereMessage(muted: readonly MutedWatch[]): MessageContent {
  return told(mrkdwn`🔕 Muted in this channel (${mutedWatches(muted)}). You'll get what you missed then.`);
}

/** The outcome of 'Unmute'. */
export function unmutingMessage(done: Unmuting): MessageContent {
  switch (done.is) {
    case 'unmuted':
      return told(mrkdwn`🔔 Unmuted. What was missed comes with the next poll.`);
    case 'was-not-muted':
      return told(mrkdwn`This is no longer muted.`);
    case 'forgotten':
      return FORGOTTEN;
    case 'watch-ended':
      return WATCH_ENDED;
  }
}

/** An incident as it is now, with a row's buttons, under what was done to it; `deliveryId` names the message whose watch is meant. */
export function nowMessage(
  { newest }: TargetNow,
  deliveryId: string,
  done: MessageContent | null = null,
): MessageContent {
  const drawing = { reason: null, cause: null, namesPeople: true, isTerse: false, isSnapshot: true };
  const row = incidentRow(newest, { deliveryId, ...drawing });
  const content = message(mrkdwn`${incidentSentence(newest, null)}.`, row);
  return done === null ? content : { text: done.text, blocks: [...done.blocks, ...row] };
}

/** An answer to a click upon a row whose day is over. */
export function staleMessage(stale: Stale, subject: ActionTarget): MessageContent {
  if (stale.is === 'forgotten') return FORGOTTEN;
  const { episode, newest } = stale.on;
  const words = mrkdwn`This button is from a message of ${time(episode.tally.firstSeen, 'day')}; ${since(episode, newest)}.`;
  return message(words, [
    section(words),
    ...actions([button('Show it as it is now', SHOW_NOW, writeSubject(subject))]),
  ]);
}

function since(episode: IncidentNow, newest: IncidentNow): Markup {
  switch (newest.state.is) {
    case 'recovering':
      return mrkdwn`it has been recovering since`;
    case 'resolved':
      return mrkdwn`it has been resolved since`;
    case 'quiet':
      return mrkdwn`it has had no failures since ${time(newest.state.since, 'day')}`;
    case 'firing':
      return newest.episodeId === episode.episodeId
        ? mrkdwn`its row counts on no more`
        : mrkdwn`it has failed again since: see the newer message`;
  }
}

const FORGOTTEN_WORDS = mrkdwn`What this row showed is no longer kept. ${code('/notif failures since:2h')} shows what fails now.`;
export const FORGOTTEN = told(FORGOTTEN_WORDS);
const WATCH_ENDED = told(
  mrkdwn`The watch that sent this message was removed, so there's nothing to mute. ${code('/notif watches')} lists those of this channel.`,
);

function told(words: Markup): MessageContent {
  return message(words, [section(words)]);
}

function ago({ at }: Acknowledgment, now: Date): string {
  return `${describeDuration(now.getTime() - at.getTime())} ago`;
}
