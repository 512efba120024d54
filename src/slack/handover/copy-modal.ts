import type { ModalView } from '@slack/types';
import type { Handover } from '../../domain/health/handover.ts';
import { context } from '../blocks/blocks.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { INPUT_TEXT } from '../blocks/limits.ts';
import { plainText } from '../blocks/plain-text.ts';
import { mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type HandoverOptions, handoverLines } from './message.ts';

export const COPY_FORM = 'handover.copied';
export const COPY_TITLE = 'Copy as text';

/** Builds a modal with a handover as plain text in a field to copy from, with times in the person's zone. */
export function copyView(handover: Handover, options: HandoverOptions, timeZone: string): ModalView {
  return formView({
    callbackId: COPY_FORM,
    title: COPY_TITLE,
    submit: 'Done',
    privateMetadata: '',
    blocks: [
      textInput({
        blockId: COPY_FORM,
        label: 'Handover',
        initial: handoverText(handover, options, timeZone),
        isMultiline: true,
        isOptional: true,
        isFocused: true,
      }),
      context(mrkdwn`Select all of it and copy. Nothing that you change here is kept.`),
    ],
  });
}

/** Returns as many lines as fit in a field; the last one says how many are left out. */
export function handoverText(handover: Handover, options: HandoverOptions, timeZone: string): string {
  const lines = handoverLines(handover, options).map((line) => plainText(line, timeZone));
  const [first = '', ...rest] = lines;
  return fitted([`${first} (times: ${timeZone})`, ...rest]);
}

function fitted(lines: readonly string[]): string {
  const all = lines.join('\n');
  if (all.length <= INPUT_TEXT) return all;
  for (let kept = lines.length - 1; kept > 1; kept--) {
    const text = [...lines.slice(0, kept), `… ${lines.length - kept} more lines: /notif handover`].join('\n');
    if (text.length <= INPUT_TEXT) return text;
  }
  return lines[0] ?? '';
}
