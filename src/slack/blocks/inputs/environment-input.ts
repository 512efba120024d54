import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import { fold } from '../../../domain/fold.ts';
import { MOST_OPTIONS, PLACEHOLDER_TEXT } from '../limits.ts';
import { plain } from '../text.ts';
import { optionOf } from './inputs.ts';

/** The ID of both the block and its element. */
export const ENVIRONMENT = 'form.environment';

/**
 * Empty if there is only one. More than Slack lists are loaded while the person types, from the route with the block's
 * ID. `dispatches`: Slack sends a choice to Notif at once; `waits`: with the submission.
 */
export function environmentInput(
  environments: readonly Environment[],
  chosen: Environment | undefined,
  hears: 'dispatches' | 'waits',
): InputBlock[] {
  if (environments.length < 2) return [];
  const options = environments.map(environmentOption);
  const initial = options.find((one) => one.value === chosen?.name);
  const element = { action_id: ENVIRONMENT, ...(initial && { initial_option: initial }) };
  return [
    {
      type: 'input',
      block_id: ENVIRONMENT,
      label: plain('Environment', PLACEHOLDER_TEXT),
      dispatch_action: hears === 'dispatches',
      element:
        options.length > MOST_OPTIONS
          ? { type: 'external_select', min_query_length: 0, ...element }
          : { type: 'static_select', options, ...element },
    },
  ];
}

export function environmentOptions(environments: readonly Environment[], typed: string): PlainTextOption[] {
  const wanted = fold(typed.trim());
  const found = environments.filter(({ name, label }) => [name, label].some((one) => fold(one).includes(wanted)));
  return found.slice(0, MOST_OPTIONS).map(environmentOption);
}

function environmentOption({ name, label }: Environment): PlainTextOption {
  return optionOf({ label, value: name });
}

export function parseEnvironmentInput(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): string {
  return valueIn(ENVIRONMENT) ?? environments[0]?.name ?? '';
}
