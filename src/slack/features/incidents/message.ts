import type {
  Acknowledging,
  ActionTarget,
  Assigning,
  Noting,
  Resolved,
  Resolving,
  Unacknowledging,
} from '../../../incidents/actions.ts';
import type { Acknowledgment, IncidentNow } from '../../../incidents/incident.ts';
import { SECOND_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { Mute, MutedWatch } from '../../../watches/mutes.ts';
import type { Watch } from '../../../watches/settings.ts';
import { type MessageContent, message, sentence } from '../../kit/blocks.ts';
import { incidentRow } from '../../kit/incident/incident-row.ts';
import { environmentName, incidentSentence, muteEnd, noteWords } from '../../kit/incident/incident-words.ts';
import { code, mrkdwn, person } from '../../kit/text.ts';
import { mutedWatches, watchNumbers } from '../../kit/words/muted-watches.ts';

export function acknowledgingMessage(done: Acknowledging, target: ActionTarget, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(mrkdwn`👀 Acknowledged #${String(target.incidentId)}. Mentions stop.`);
    case 'already':
      return sentence(mrkdwn`👀 ${person(done.acknowledged.by)} acknowledged this ${ago(done.acknowledged, now)}.`);
    case 'resolved':
      return resolvedMessage(done, target);
    case 'forgotten':
      return FORGOTTEN;
  }
}

export function unacknowledgedMessage(done: Unacknowledging, now: Date): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(mrkdwn`↩️ Unacknowledged for ${person(done.acknowledged.by)}. Its alerts mention people again.`);
    case 'already':
      return sentence(mrkdwn`This isn't acknowledged.`);
    case 'another':
      return sentence(
        mrkdwn`👀 ${person(done.acknowledged.by)} acknowledged this ${ago(done.acknowledged, now)}, so nothing was changed. To remove that acknowledgment, choose *Unacknowledge* again.`,
      );
    case 'forgotten':
      return FORGOTTEN;
  }
}

export function assigningMessage(done: Assigning, now: Date): MessageContent {
  switch (done.is) {
    case 'done': {
      const had = done.before === null ? mrkdwn`` : mrkdwn` ${person(done.before.to)} had it until now.`;
      return sentence(mrkdwn`🙋 Assigned to ${person(done.assigned.to)}.${had}`);
    }
    case 'already': {
      const { to, by } = done.assigned;
      return sentence(mrkdwn`🙋 ${person(to)} has this already: ${person(by)} assigned it ${ago(done.assigned, now)}.`);
    }
    case 'forgotten':
      return FORGOTTEN;
  }
}

export function resolvingMessage(done: Resolving, target: ActionTarget): MessageContent {
  switch (done.is) {
    case 'done':
      return sentence(mrkdwn`✅ Resolved #${String(target.incidentId)}. If it fails again, that's a relapse.`);
    case 'resolved':
      return resolvedMessage(done, target);
    case 'forgotten':
      return FORGOTTEN;
  }
}

function resolvedMessage({ by }: Resolved, { incidentId }: ActionTarget): MessageContent {
  const who = by === null ? mrkdwn`: it recovered` : mrkdwn`, by ${person(by)}`;
  return sentence(mrkdwn`✅ #${String(incidentId)} is already resolved${who}.`);
}

/** As stored, because secrets and contacts in it are masked. */
export function notingMessage(done: Noting): MessageContent {
  if (done.is === 'forgotten') return FORGOTTEN;
  return sentence(
    mrkdwn`📝 Note added: ${noteWords(done.note)}. Everyone who sees this incident sees it, and again when the same cause comes back.`,
  );
}

/** Null: the watch has ended. */
export function mutingMessage(mute: Mute | null): MessageContent {
  if (mute === null) return WATCH_ENDED;
  return sentence(
    mrkdwn`🔕 Muted in this watch until ${muteEnd(mute)}. You'll get what you missed then. To end it sooner: ⋯ > ${code('Unmute')}.`,
  );
}

export function mutedHereMessage(muted: readonly MutedWatch[], incidentId: number): MessageContent {
  const sooner = code(`/notif unmute #${incidentId}`);
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

export function unmutingMessage(wasMuted: boolean): MessageContent {
  return wasMuted
    ? sentence(mrkdwn`🔔 Unmuted. Missed alerts arrive with the next poll.`)
    : sentence(mrkdwn`This is no longer muted.`);
}

/** Below the outcome of an action. `messageId` names the message whose watch the buttons use. */
export function nowMessage(
  incident: IncidentNow,
  messageId: ActionTarget['messageId'],
  done: MessageContent | null = null,
): MessageContent {
  const beside = environmentName(incident);
  const row = incidentRow(incident, { messageId, beside, cause: null, namesPeople: true, isTerse: false });
  if (done !== null) return { text: done.text, blocks: [...done.blocks, ...row] };
  return message(mrkdwn`${incidentSentence(incident, beside)}.`, row);
}

export const FORGOTTEN = sentence(
  mrkdwn`What this row showed is no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
);
export const WATCH_ENDED = sentence(
  mrkdwn`The watch that sent this message was removed, so there's nothing to mute. ${code('/notif watches')} lists those of this channel.`,
);

function ago({ at }: Acknowledgment, now: Date): string {
  const passedMs = now.getTime() - at.getTime();
  return passedMs < SECOND_MS ? 'just now' : `${describeDuration(passedMs)} ago`;
}
