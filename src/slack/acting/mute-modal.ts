import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { ActedOn, ActSubject } from '../../domain/acting.ts';
import { MUTE_LENGTHS, type MuteLength, muteUntil, readMuteLength } from '../../domain/mute-lengths.ts';
import { context, option, section } from '../blocks/blocks.ts';
import { readSubject, writeSubject } from '../blocks/group-menu.ts';
import { groupCause, groupTitle } from '../blocks/group-words.ts';
import { OPTION_TEXT } from '../blocks/limits.ts';
import { joined, mrkdwn, plain } from '../blocks/text.ts';
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

/** The form for muting a group in the watch of its message: for how long, always with an end. */
export function muteView(
  { episode: { tally }, watch }: ActedOn & { readonly watch: NonNullable<ActedOn['watch']> },
  form: MuteForm,
  now: Date,
): ModalView {
  const { timeZone } = watch.settings;
  const options = MUTE_LENGTHS.map((length) => option(labelOf(length, timeZone, now), length)).filter(
    (one) => one !== null,
  );
  const [, anHour] = options;
  return formView({
    callbackId: MUTE_FORM,
    title: MUTE_TITLE,
    submit: 'Mute',
    privateMetadata: JSON.stringify({ subject: writeSubject(form.subject), answerUrl: form.answerUrl }),
    blocks: [
      section(joined([groupTitle(tally), groupCause(tally)], '\n')),
      {
        type: 'input',
        block_id: LENGTH,
        label: plain('For how long', OPTION_TEXT),
        element: {
          type: 'radio_buttons',
          action_id: LENGTH,
          options,
          ...(anHour === undefined ? {} : { initial_option: anHour }),
        },
      },
      context(
        mrkdwn`This watch says nothing of the group meanwhile; at the end it tells what was missed. Other watches are not muted.`,
      ),
    ],
  });
}

const LABELS: { readonly [Length in Exclude<MuteLength, 'morning'>]: string } = {
  '30m': '30 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': 'A day',
  '1w': 'A week',
};

/** Options are plain text, which Slack puts into nobody's zone: the watch's is named. */
function labelOf(length: MuteLength, timeZone: string, now: Date): string {
  if (length !== 'morning') return LABELS[length];
  const until = muteUntil(length, timeZone, now);
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(until);
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
