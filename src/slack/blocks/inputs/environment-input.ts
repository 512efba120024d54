import type { InputBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import { option } from '../blocks.ts';
import { PLACEHOLDER_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

/** The IDs of the block and of the element for a form's environment. */
export const ENVIRONMENT = 'form.environment';

/**
 * Builds a choice of environments. Empty if there is only one. `dispatches`: Slack sends a choice to Notif at once; `waits`: with the
 * submission.
 */
export function environmentInput(
  environments: readonly Environment[],
  chosen: Environment | undefined,
  hears: 'dispatches' | 'waits',
): InputBlock[] {
  const options = environments.map(({ label, name }) => option(label, name)).filter((one) => one !== null);
  if (options.length < 2) return [];
  const initial = options.find((one) => one.value === chosen?.name);
  return [
    {
      type: 'input',
      block_id: ENVIRONMENT,
      label: plain('Environment', PLACEHOLDER_TEXT),
      dispatch_action: hears === 'dispatches',
      element: { type: 'static_select', action_id: ENVIRONMENT, options, ...(initial && { initial_option: initial }) },
    },
  ];
}

/** Returns the chosen environment's name, or the first one's if there was no choice. */
export function parseEnvironmentInput(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): string {
  return valueIn(ENVIRONMENT) ?? environments[0]?.name ?? '';
}
