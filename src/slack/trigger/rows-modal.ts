import type { InputBlock } from '@slack/types';
import { parseRows, type RowMistake, type RowsRead } from '../../domain/triggers/trigger-rows.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { textInput } from '../blocks/inputs/inputs.ts';

/** A Slack field holds 3,000 characters; rows that need more continue in further fields. */
const FIELDS = 4;

/** Returns the blocks of a field for rows. The first is always present. */
function rowBlocks(beginning: string): readonly string[] {
  return Array.from({ length: FIELDS }, (_, index) => (index === 0 ? beginning : `${beginning}-${index + 1}`));
}

export interface RowsField {
  readonly beginning: string;
  readonly label: string;
  readonly hint: string;
  readonly isLong: boolean;
}

/** Builds a field to paste rows into and, if it's long, the fields in which they continue. */
export function rowsInputs({ beginning, label, hint, isLong }: RowsField): InputBlock[] {
  const [first = beginning, ...others] = rowBlocks(beginning);
  return [
    textInput({ blockId: first, label, hint, isMultiline: true }),
    ...(isLong ? others : []).map((blockId, index) =>
      textInput({
        blockId,
        label: `${label}, continued (${index + 2})`,
        isMultiline: true,
        isOptional: true,
      }),
    ),
  ];
}

/** Returns the rows in a field and its continuations. */
export function parseRowsInputs(beginning: string, filled: FilledForm): RowsRead {
  return parseRows(rowBlocks(beginning).map((blockId) => filled.valueIn(blockId) ?? ''));
}

/** Returns what is wrong with rows, under the field that contains them. */
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
