import type { ModalView } from '@slack/types';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { type MuteLength, muteUntil, parseMuteLength } from '../../domain/watches/mute-lengths.ts';
import { context } from '../blocks/blocks.ts';
import { muteLengthInput } from '../blocks/inputs/mute-length-input.ts';
import { mrkdwn } from '../blocks/text.ts';
import { type IncidentForm, incidentFormView } from './incident-form-modal.ts';

export const MUTE_FORM = 'group.mute';
export const MUTE_TITLE = 'Mute';
const LENGTH = 'group.mute-length';

/** Builds the form for muting a group in the watch of its message, always with an end. `timeZone` is that of the person who sees it. */
export function muteView(
  on: Pick<TargetNow, 'episode'>,
  form: IncidentForm,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): ModalView {
  return incidentFormView(on, form, {
    callbackId: MUTE_FORM,
    title: MUTE_TITLE,
    submit: 'Mute',
    blocks: [
      muteLengthInput(LENGTH, morningWords(timeZone, now)),
      context(mrkdwn`It's muted in this watch only: other watches keep alerting.`),
    ],
  });
}

/** Words the next morning with its time zone: an option is plain text, in which Slack can't localize times. */
function morningWords(timeZone: string, now: Date): string {
  const morning = muteUntil('morning', timeZone, now);
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(morning);
  return `Until ${day} 09:00 (${timeZone})`;
}

/** Parses the length. Null if nothing was chosen. */
export function parseLength(valueIn: (blockId: string) => string | null): MuteLength | null {
  return parseMuteLength(valueIn(LENGTH));
}
