import type { ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { MOST_RECOGNISED, type Recognised, soughtIn } from '../../domain/sought.ts';
import { environmentInput, readEnvironmentInput } from '../blocks/environment-input.ts';
import { textInput } from '../blocks/inputs.ts';
import { formView } from '../blocks/view.ts';

export const FIND = 'lookup.find';
export const FIND_TITLE = 'Find a notification';
const SOUGHT_BLOCK = 'lookup.find-sought';

/** What a form asks for: one thing or several, and the environment that is meant where they do not say. */
export interface FindRequest {
  readonly found: readonly Recognised[];
  readonly environment: Environment;
}

/** Asks what to look for and, where there are several environments, in which. */
export function findView(environments: readonly Environment[]): ModalView {
  return formView({
    callbackId: FIND,
    title: FIND_TITLE,
    submit: 'Find',
    privateMetadata: '',
    blocks: [
      textInput({
        blockId: SOUGHT_BLOCK,
        label: 'What to look for',
        hint: 'An event or transaction id, an e-mail address, subscriber: with an id, a link to the dashboard, or a text with several of them',
        isFocused: true,
      }),
      ...environmentInput(environments, environments[0], 'waits'),
    ],
  });
}

/** What a filled in form asks for, or what is wrong with it, by block. */
export function readFind(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): FindRequest | { readonly errors: { readonly [blockId: string]: string } } {
  try {
    return {
      found: soughtIn(valueIn(SOUGHT_BLOCK) ?? '', environments, MOST_RECOGNISED + 1),
      environment: environmentNamed(readEnvironmentInput(valueIn, environments), environments),
    };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [SOUGHT_BLOCK]: error.message } };
    throw error;
  }
}
