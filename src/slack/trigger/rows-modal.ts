import type { InputBlock } from '@slack/types';
import { parseRows, type RowMistake, type RowsRead } from '../../domain/triggers/trigger-rows.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import type { Filled, FormErrors } from './filled-modal.ts';

/** A field of Slack's takes 3,000 characters: rows that need more go on in others. */
const FIELDS = 4;

/** The blocks of a field for rows, the first of which is always there. */
function rowBlocks(beginning: string): readonly string[] {
  return Array.from({ length: FIELDS }, (_, index) => (index === 0 ? beginning : `${beginning}-${index + 1}`));
}

export interface RowsField {
  readonly beginning: string;
  readonly label: string;
  readonly hint: string;
  readonly isLong: boolean;
}

/** A field to paste rows into, and where it is long the fields in which they go on. */
export function rowsInputs({ beginning, label, hint, isLong }: RowsField): InputBlock[] {
  const [first = beginning, ...others] = rowBlocks(beginning);
  return [
    textInput({ blockId: first, label, hint, isMultiline: true, isTold: true }),
    ...(isLong ? others : []).map((blockId, index) =>
      textInput({
        blockId,
        label: `${label}, continued (${index + 2})`,
        isMultiline: true,
        isOptional: true,
        isTold: true,
      }),
    ),
  ];
}

/** The rows in a field and where it goes on. */
export function parseRowsInputs(beginning: string, filled: Filled): RowsRead {
  return parseRows(rowBlocks(beginning).map((blockId) => filled.valueIn(blockId) ?? ''));
}

/** What is wrong with rows, under the field in which it stands. */
export function rowErrors(beginning: string, mistakes: readonly RowMistake[]): FormErrors {
  const blocks = rowBlocks(beginning).map((blockId, part) => {
    const [first, ...others] = mistakes.filter(({ place }) => place.part === part);
    return first === undefined ? null : ([blockId, wordsOf(first, others.length)] as const);
  });
  return Object.fromEntries(blocks.filter((one) => one !== null));
}

function wordsOf({ place, what, example }: RowMistake, others: number): string {
  const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'row is' : 'rows are'} wrong too.`;
  return `Line ${place.line}, column ${place.column}: ${what}. For example: ${example.replaceAll('\n', ' ⏎ ')}.${more}`;
}
