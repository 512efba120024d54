import type { ModalView } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { eventIdOrTransaction } from '../../domain/ids.ts';
import { environmentInput, readEnvironmentInput } from '../blocks/environment-input.ts';
import { textInput } from '../blocks/inputs.ts';
import type { LookupRequest } from '../blocks/lookup-button.ts';
import { formView } from '../blocks/view.ts';

export const FIND = 'event.find';
const ID_BLOCK = 'event.find-id';

/** Asks for an id and, where there are several, an environment. */
export function findView(environments: readonly Environment[]): ModalView {
  return formView({
    callbackId: FIND,
    title: 'Find a notification',
    submit: 'Find',
    privateMetadata: '',
    blocks: [
      textInput({ blockId: ID_BLOCK, label: 'Event id, transaction id or dashboard link', isFocused: true }),
      ...environmentInput(environments, environments[0], 'waits'),
    ],
  });
}

/** What a filled in form asks for, or what is wrong with it, by block. */
export function readFind(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): { readonly request: LookupRequest } | { readonly errors: { readonly [blockId: string]: string } } {
  try {
    const target = eventIdOrTransaction(valueIn(ID_BLOCK) ?? '');
    return { request: { environment: readEnvironmentInput(valueIn, environments), target } };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [ID_BLOCK]: error.message } };
    throw error;
  }
}
