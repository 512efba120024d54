import type { ModalView } from '@slack/types';
import type { Handover } from '../../domain/health/handover.ts';
import { context } from '../blocks/blocks.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { INPUT_TEXT } from '../blocks/limits.ts';
import { plainText } from '../blocks/plain-text.ts';
import { mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type HandoverOptions, handoverCommandFor, handoverLines } from './message.ts';

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

/**
 * Returns as many lines as fit in a field. A line says how many are left out and which command shows them; until when each environment was
 * checked comes last in any case.
 */
export function handoverText(handover: Handover, options: HandoverOptions, timeZone: string): string {
  const lines = handoverLines(handover, options).map((line) => plainText(line, timeZone));
  const [first = '', ...rest] = lines;
  const command = plainText(handoverCommandFor(handover, options), timeZone);
  return fitted([`${first} (times: ${timeZone})`, ...rest], command);
}

/** The empty line and the line of what was checked at a handover's end. */
const LAST_LINES = 2;

function fitted(lines: readonly string[], command: string): string {
  const all = lines.join('\n');
  if (all.length <= INPUT_TEXT) return all;
  const last = lines.slice(-LAST_LINES);
  const withFirst = (kept: number) => {
    const left = lines.length - LAST_LINES - kept;
    return [...lines.slice(0, kept), `… ${left} more lines: ${command}`, ...last].join('\n');
  };
  let kept = lines.length - LAST_LINES - 1;
  while (kept > 1 && withFirst(kept).length > INPUT_TEXT) kept -= 1;
  return withFirst(kept).slice(0, INPUT_TEXT);
}
