import type { InputBlock } from '@slack/types';
import { INPUT_TEXT, PLACEHOLDER_TEXT } from '../limits.ts';
import { cut, plain } from '../text.ts';

const LABEL_TEXT = 2_000;

/** What Slack calls typing in a field that `isTold`. */
export const TYPED = 'form.typed';

export interface TextInput {
  readonly blockId: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** More characters can't be typed. */
  readonly longest?: number;
  readonly isMultiline?: boolean;
  readonly isOptional?: boolean;
  readonly isFocused?: boolean;
  /** Slack tells of it while it's typed, so that it can be restored. */
  readonly isTold?: boolean;
}

/** A field for text in a form. Its one element goes by the block's id. */
export function textInput(input: TextInput): InputBlock {
  const { blockId, label, hint, placeholder, initial = '' } = input;
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label, LABEL_TEXT),
    optional: input.isOptional ?? false,
    ...(input.isTold ? { dispatch_action: true } : {}),
    ...(hint === undefined ? {} : { hint: plain(hint, LABEL_TEXT) }),
    element: {
      type: 'plain_text_input',
      action_id: input.isTold ? TYPED : blockId,
      ...(input.isTold ? { dispatch_action_config: { trigger_actions_on: ['on_character_entered'] } } : {}),
      multiline: input.isMultiline ?? false,
      ...(input.longest === undefined ? {} : { max_length: input.longest }),
      ...(input.isFocused ? { focus_on_load: true } : {}),
      ...(placeholder === undefined ? {} : { placeholder: plain(placeholder, PLACEHOLDER_TEXT) }),
      ...(initial === '' ? {} : { initial_value: cut(initial, INPUT_TEXT) }),
    },
  };
}
