import type { InputBlock } from '@slack/types';
import { INPUT_TEXT, PLACEHOLDER_TEXT } from '../limits.ts';
import { cut, plain } from '../text.ts';

const LABEL_TEXT = 2_000;

/** The action ID that Slack sends when a person types in a field that `reportsTyping`. */
export const TYPED = 'form.typed';

export interface TextInput {
  readonly blockId: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** The maximum number of characters. */
  readonly longest?: number;
  readonly isMultiline?: boolean;
  readonly isOptional?: boolean;
  readonly isFocused?: boolean;
  /** Slack sends Notif the text while it's typed, so that it can be restored. */
  readonly reportsTyping?: boolean;
}

/** Builds a text field. Its only element has the block's ID. */
export function textInput(input: TextInput): InputBlock {
  const { blockId, label, hint, placeholder, initial = '' } = input;
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label, LABEL_TEXT),
    optional: input.isOptional ?? false,
    ...(input.reportsTyping ? { dispatch_action: true } : {}),
    ...(hint === undefined ? {} : { hint: plain(hint, LABEL_TEXT) }),
    element: {
      type: 'plain_text_input',
      action_id: input.reportsTyping ? TYPED : blockId,
      ...(input.reportsTyping ? { dispatch_action_config: { trigger_actions_on: ['on_character_entered'] } } : {}),
      multiline: input.isMultiline ?? false,
      ...(input.longest === undefined ? {} : { max_length: input.longest }),
      ...(input.isFocused ? { focus_on_load: true } : {}),
      ...(placeholder === undefined ? {} : { placeholder: plain(placeholder, PLACEHOLDER_TEXT) }),
      ...(initial === '' ? {} : { initial_value: cut(initial, INPUT_TEXT) }),
    },
  };
}
