import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { ActedOn, ActSubject } from '../../domain/acting.ts';
import { type MuteLength, muteUntil, readMuteLength } from '../../domain/mute-lengths.ts';
import { context, section } from '../blocks/blocks.ts';
import { readSubject, writeSubject } from '../blocks/group-menu.ts';
import { groupCause, groupTitle } from '../blocks/group-words.ts';
import { muteLengthInput } from '../blocks/mute-length-input.ts';
import { joined, mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';

export const MUTE_FORM = 'group.mute';
export const MUTE_TITLE = 'Mute';
const LENGTH = 'group.mute-length';

/** What the form keeps while somebody looks at it. */
export interface MuteForm {
  readonly subject: ActSubject;
  /** Where to answer; null where that is unknown. */
  readonly answerUrl: string | null;
}

/** The form for muting a group in the watch of its message: for how long, always with an end. `timeZone`: of whoever looks at it. */
export function muteView(
  { episode: { tally } }: Pick<ActedOn, 'episode'>,
  form: MuteForm,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): ModalView {
  return formView({
    callbackId: MUTE_FORM,
    title: MUTE_TITLE,
    submit: 'Mute',
    privateMetadata: JSON.stringify({ subject: writeSubject(form.subject), answerUrl: form.answerUrl }),
    blocks: [
      section(joined([groupTitle(tally), groupCause(tally)], '\n')),
      muteLengthInput(LENGTH, morningWords(timeZone, now)),
      context(mrkdwn`It's muted in this watch only: other watches keep alerting.`),
    ],
  });
}

/** An option is plain text, which Slack puts into nobody's zone: whose it is is named. */
function morningWords(timeZone: string, now: Date): string {
  const morning = muteUntil('morning', timeZone, now);
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(morning);
  return `Until ${day} 09:00 (${timeZone})`;
}

const Metadata = z.object({ subject: z.string(), answerUrl: z.string().nullable() });

/** What the form kept, or null where it is not one of this version. */
export function readMuteForm(privateMetadata: string): MuteForm | null {
  const { subject, answerUrl } = Metadata.parse(JSON.parse(privateMetadata));
  const read = readSubject(subject);
  return read === null ? null : { subject: read, answerUrl };
}

/** For how long; null where nothing was chosen. */
export function readLength(valueIn: (blockId: string) => string | null): MuteLength | null {
  return readMuteLength(valueIn(LENGTH));
}
