import type { InputBlock } from '@slack/types';
import { InputError, withExample } from '../../domain/errors.ts';
import type { TriggerOptions } from '../../domain/service/query.ts';
import { parseContext, parseOverrides, parseReference } from '../../domain/triggers/trigger-input.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { textInput } from '../blocks/inputs/inputs.ts';

/** Returns the ID of the block with this prefix. The rest of the ID says for what the field was drawn. */
export function blockOf(beginning: string, { blockIds }: FilledForm): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
}

/** Parses a field. Adds an error to `errors` and then returns `instead`. */
export function parseField<T>(
  blockId: string,
  filled: FilledForm,
  { read, instead, errors }: { read: (text: string) => T; instead: T; errors: Record<string, string> },
): T {
  try {
    return read(filled.valueIn(blockId) ?? '');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    errors[blockId] = withExample(error);
    return instead;
  }
}

/** The blocks of the fields for a test's options. */
export type OptionBlocks = { readonly [Option in keyof TriggerOptions]: string };

/** Builds the fields for on whose behalf a test is sent, and for which tenant. */
export function referenceInputs({ actor, tenant }: Pick<OptionBlocks, 'actor' | 'tenant'>): InputBlock[] {
  const who = 'The ID of the subscriber on whose behalf it is sent.';
  const which = 'The ID of a tenant that the service knows.';
  return [
    textInput({ blockId: actor, label: 'Actor', hint: who, isOptional: true }),
    textInput({ blockId: tenant, label: 'Tenant', hint: which, isOptional: true }),
  ];
}

/** Parses the options for all events. Adds what is wrong with them to `errors`. */
export function parseOptionFields(
  blocks: OptionBlocks,
  filled: FilledForm,
  errors: Record<string, string>,
  readOverrides = parseOverrides,
): TriggerOptions {
  const reference = (field: 'actor' | 'tenant') => {
    const read = (text: string) => parseReference(field, text);
    return parseField(blocks[field], filled, { read, instead: null, errors });
  };
  return {
    overrides: parseField(blocks.overrides, filled, { read: readOverrides, instead: null, errors }),
    actor: reference('actor'),
    tenant: reference('tenant'),
    context: parseField(blocks.context, filled, { read: parseContext, instead: null, errors }),
  };
}
