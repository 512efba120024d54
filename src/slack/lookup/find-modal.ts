import type { ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { lookupTargetsIn, MOST_RECOGNISED, type Recognised } from '../../domain/input/lookup-target.ts';
import { refuseMasked } from '../../domain/lookups/masked-id.ts';
import type { MessageBlock } from '../blocks/blocks.ts';
import { environmentInput, type FormErrors, parseEnvironmentInput, textInput } from '../blocks/inputs.ts';
import { formView } from '../blocks/view.ts';

export const FIND = 'lookup.find';
export const FIND_TITLE = 'Find a notification';
const SOUGHT_BLOCK = 'lookup.find-sought';

/** `environment` is for those that don't name one. */
export interface FindRequest {
  readonly found: readonly Recognised[];
  readonly environment: Environment;
  readonly typed: string;
}

export interface FoundNothingBefore {
  readonly asked: FindRequest;
  readonly above: readonly MessageBlock[];
}

/** `before` fills it with the previous request. */
export function findView(environments: readonly Environment[], before: FoundNothingBefore | null): ModalView {
  return formView({
    callbackId: FIND,
    title: FIND_TITLE,
    submit: 'Find',
    privateMetadata: '',
    blocks: [
      ...(before === null ? [] : before.above),
      textInput({
        blockId: SOUGHT_BLOCK,
        label: 'What to look for',
        hint: 'The ID of an event, transaction, subscriber or topic, an email address, a link to the dashboard, or a text with several of them',
        isFocused: true,
        ...(before !== null && { initial: before.asked.typed }),
      }),
      ...environmentInput(environments, before?.asked.environment ?? environments[0], 'waits'),
    ],
  });
}

export function parseFind(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): FindRequest | { readonly errors: FormErrors } {
  const typed = valueIn(SOUGHT_BLOCK) ?? '';
  try {
    refuseMasked(typed);
    return {
      typed,
      found: lookupTargetsIn(typed, environments, MOST_RECOGNISED + 1),
      environment: environmentNamed(parseEnvironmentInput(valueIn, environments), environments),
    };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [SOUGHT_BLOCK]: error.message } };
    throw error;
  }
}
