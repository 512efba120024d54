import type { Acknowledgment, Assignment } from '../../domain/incidents/episode.ts';
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
import { SECOND_MS } from '../../domain/time/durations.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import type { Muting, Unmuting } from '../../use-cases/incidents/mute-in-watch.ts';
import type { MutedWatch } from '../../use-cases/watches/mute-watches.ts';
import { actions, button, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentRow, incidentSentence } from '../blocks/incident/incident-row.ts';
import { environmentName } from '../blocks/incident/incident-words.ts';
import { noteWords } from '../blocks/incident/last-time.ts';
import { muteEnd } from '../blocks/incident/state-words.ts';
import { code, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { mutedWatches, watchNumbers } from '../blocks/words/muted-watches.ts';

/** Shows the incident's newest episode. */
export const SHOW_NOW = 'incident.show-now';

export function acknowledgingMessage(done: Acknowledging, target: ActionTarget, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(mrkdwn`👀 Acknowledged. Everyone can see it, and it stops mentioning people.`);
    case 'already':
      return sentence(mrkdwn`👀 ${person(done.acknowledged.by)} acknowledged this ${ago(done.acknowledged, now)}.`);
    default:
      return staleMessage(done, target);
  }
}

export function unacknowledgedMessage(done: Unacknowledging, target: ActionTarget, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(
        mrkdwn`↩️ Unacknowledged for ${person(done.acknowledged.by)}. Everyone can see it, and its watches mention people again.`,
      );
    case 'already':
      return done.unacknowledged === null
        ? sentence(mrkdwn`This isn't acknowledged.`)
        : sentence(mrkdwn`↩️ ${person(done.unacknowledged.by)} unacknowledged this ${ago(done.unacknowledged, now)}.`);
    case 'another':
      return sentence(
        mrkdwn`👀 ${person(done.acknowledged.by)} acknowledged this ${ago(done.acknowledged, now)}, so nothing was changed. To remove that acknowledgment, choose *Unacknowledge* again.`,
      );
    default:
      return staleMessage(done, target);
  }
}

/** `isInformed`: whether the assignee got the direct message. */
export function assigningMessage(
  done: Assigning,
  target: ActionTarget,
  { isInformed, now }: { readonly isInformed: boolean; readonly now: Date },
): MessageContent {
  switch (done.is) {
    case 'done': {
      const { assigned, before } = done;
      const had = before === null ? mrkdwn`` : mrkdwn` ${person(before.to)} had it until now.`;
      const about = isInformed ? mrkdwn`` : mrkdwn` Slack took no direct message for them, so let them know.`;
      return sentence(mrkdwn`🙋 Assigned to ${person(assigned.to)}.${about}${had}`);
    }
    case 'already': {
      const { to, by } = done.assigned;
      return sentence(mrkdwn`🙋 ${person(to)} has this already: ${person(by)} assigned it ${ago(done.assigned, now)}.`);
    }
    default:
      return staleMessage(done, target);
  }
}

export function assignedToYou({ newest }: TargetNow, by: string): MessageContent {
  return underWords(mrkdwn`🙋 ${person(by)} assigned this incident to you.`, newest);
}

export function assignedToAnother({ newest }: TargetNow, { to, by }: Pick<Assignment, 'to' | 'by'>): MessageContent {
  const words =
    to === by
      ? mrkdwn`🙋 ${person(by)} took over this incident from you.`
      : mrkdwn`🙋 ${person(by)} assigned this incident, which you had, to ${person(to)}.`;
  return underWords(words, newest);
}

export function yourAcknowledgmentRemoved({ newest }: TargetNow, by: string): MessageContent {
  return underWords(mrkdwn`↩️ ${person(by)} unacknowledged this incident, which you had acknowledged.`, {
    ...newest,
    acknowledged: null,
  });
}

function underWords(words: Markup, now: IncidentNow): MessageContent {
  const beside = environmentName(now);
  const row = incidentRow(now, { messageId: null, beside, cause: null, namesPeople: true, isTerse: true });
  return message(joined([words, incidentSentence(now, beside)], ' '), [section(words), ...row]);
}

export function resolvingMessage(done: Resolving, target: ActionTarget): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(mrkdwn`✅ Resolved. Everyone can see it; if it fails again, that's announced as a relapse.`);
    case 'already':
      return sentence(
        done.by === null ? mrkdwn`✅ It has recovered by itself.` : mrkdwn`✅ ${person(done.by)} resolved this.`,
      );
    default:
      return staleMessage(done, target);
  }
}

/** As stored, because secrets and contacts in it are masked. */
export function notingMessage(done: Noting): MessageContent {
  if (done.is === 'forgotten') return FORGOTTEN;
  return sentence(
    mrkdwn`📝 Note added: ${noteWords(done.note)}. Everyone who sees this incident sees it, and again when the same cause comes back.`,
  );
}

export function mutingMessage(done: Muting): MessageContent {
  if (done.is !== 'muted') return done.is === 'forgotten' ? FORGOTTEN : WATCH_ENDED;
  return sentence(
    mrkdwn`🔕 Muted in this watch until ${muteEnd(done.mute)}. You'll get what you missed then. To end it sooner: ⋯ > ${code('Unmute')}.`,
  );
}

export function mutedHereMessage(muted: readonly MutedWatch[], episodeId: number): MessageContent {
  const sooner = code(`/notif unmute #${episodeId}`);
  return sentence(
    mrkdwn`🔕 Muted in this channel (${mutedWatches(muted)}). You'll get what you missed then. To end it sooner: ${sooner}.`,
  );
}

export function unmutedHereMessage(unmuted: readonly Watch[]): MessageContent {
  if (unmuted.length === 0) return sentence(mrkdwn`This isn't muted in this channel.`);
  return sentence(
    mrkdwn`🔔 Unmuted in this channel (${watchNumbers(unmuted)}). Missed alerts arrive with the next poll.`,
  );
}

export function unmutingMessage(done: Unmuting): MessageContent {
  switch (done.is) {
    case 'unmuted':
      return sentence(mrkdwn`🔔 Unmuted. Missed alerts arrive with the next poll.`);
    case 'was-not-muted':
      return sentence(mrkdwn`This is no longer muted.`);
    case 'forgotten':
      return FORGOTTEN;
    case 'watch-ended':
      return WATCH_ENDED;
  }
}

/** Below the outcome of an action. `messageId` names the message whose watch the buttons use. */
export function nowMessage(
  { newest }: TargetNow,
  messageId: ActionTarget['messageId'],
  done: MessageContent | null = null,
): MessageContent {
  const beside = environmentName(newest);
  const drawing = { messageId, beside, cause: null, namesPeople: true, isTerse: false, isSnapshot: true };
  const row = incidentRow(newest, drawing);
  if (done !== null) return { text: done.text, blocks: [...done.blocks, ...row] };
  return message(mrkdwn`${incidentSentence(newest, beside)}.`, row);
}

/** Null if the number is of the newest incident of its cause. */
export function earlierMessage({ episode, newest, cameBack }: TargetNow): MessageContent | null {
  if (episode.episodeId === newest.episodeId) return null;
  const became = cameBack ? mrkdwn`is over; its cause came back as` : mrkdwn`went on as`;
  return sentence(mrkdwn`#${String(episode.episodeId)} ${became} #${String(newest.episodeId)}:`);
}

export function staleMessage(stale: Stale, target: ActionTarget): MessageContent {
  if (stale.is === 'forgotten') return FORGOTTEN;
  const { episode, newest } = stale.on;
  const words = mrkdwn`This button is from a message of ${time(episode.tally.firstSeen, 'day')}; ${since(episode, newest)}.`;
  return message(words, [
    section(words),
    ...actions([button('Show it as it is now', SHOW_NOW, writeActionTarget(target))]),
  ]);
}

/** Above its row, or above that of the outage with which its cause came back. */
export function typedOverMessage(on: TargetNow): MessageContent {
  const { episodeId, state } = on.episode;
  const why = state.is === 'resolved' ? mrkdwn`it's resolved` : mrkdwn`it has had no failures for a day`;
  return earlierMessage(on) ?? sentence(mrkdwn`Nothing was changed in #${String(episodeId)}: ${why}.`);
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
        ? mrkdwn`its row is no longer updated`
        : mrkdwn`it has failed again since: see the newer message`;
  }
}

export const FORGOTTEN = sentence(
  mrkdwn`What this row showed is no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
);
const WATCH_ENDED = sentence(
  mrkdwn`The watch that sent this message was removed, so there's nothing to mute. ${code('/notif watches')} lists those of this channel.`,
);

function ago({ at }: Acknowledgment, now: Date): string {
  const passedMs = now.getTime() - at.getTime();
  return passedMs < SECOND_MS ? 'just now' : `${describeDuration(passedMs)} ago`;
}
