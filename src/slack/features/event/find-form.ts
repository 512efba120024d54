import type { ModalView } from '@slack/types';
import { InputError } from '../../../lib/errors.ts';
import { lookupTargetsIn } from '../../../lib/input/ids.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import type { SlackCtx } from '../../ctx.ts';
import { chosenEnvironment } from '../../kit/filled-form.ts';
import { inFormModal } from '../../kit/in-modal.ts';
import { environmentInput, textInput } from '../../kit/inputs.ts';
import type { FilledView, Submitted } from '../../kit/interaction.ts';
import { withoutShare } from '../../kit/reply.ts';
import { formView, waitingView } from '../../kit/views.ts';
import type { Lookup } from '../../router/command.ts';

export const FIND = 'lookup.find';
const TITLE = 'Find a notification';
const SOUGHT = 'lookup.find-sought';

export function findView({ environments }: SlackCtx): ModalView {
  const hint = 'IDs, email addresses or links, also in a longer text';
  const sought = textInput({ blockId: SOUGHT, label: 'What to look for', hint, isFocused: true });
  const blocks = [sought, ...environmentInput(environments, environments[0])];
  return formView({ callbackId: FIND, title: TITLE, submit: 'Look up', blocks });
}

/** Looks up what is filled in, in the form's modal. */
export function find(ctx: SlackCtx, lookup: Lookup, view: FilledView): Submitted {
  const typed = view.valueIn(SOUGHT) ?? '';
  try {
    refuseMasked(typed);
    const targets = lookupTargetsIn(typed, ctx.environments);
    const environment = chosenEnvironment(view, ctx.environments);
    return inFormModal(ctx, {
      next: waitingView(TITLE, '⏳ Looking …'),
      work: async () => ({ content: withoutShare(await lookup(targets, environment, { working: () => {} })) }),
    });
  } catch (error) {
    if (error instanceof InputError) return { is: 'invalid', errors: { [SOUGHT]: error.message } };
    throw error;
  }
}
