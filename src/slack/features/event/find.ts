import type { ModalView } from '@slack/types';
import { InputError } from '../../../lib/errors.ts';
import { lookupTargetsIn } from '../../../lib/input/ids.ts';
import { refuseMasked } from '../../../service/typed-lookup.ts';
import type { SlackCtx } from '../../ctx.ts';
import { OPEN_FIND } from '../../kit/buttons.ts';
import { chosenEnvironment, environmentInput, textInput } from '../../kit/inputs.ts';
import { mrkdwn } from '../../kit/text.ts';
import { formView, waitingView } from '../../kit/view.ts';
import type { Lookup } from '../../router/command.ts';
import { inItsModal, modalResult } from '../../router/in-modal.ts';
import type { FilledView, Interaction } from '../../router/interaction.ts';
import { withoutShare } from '../../router/reply.ts';
import { type Route, routesFor, type Submitted } from '../../router/route.ts';

const FIND = 'lookup.find';
const TITLE = 'Find a notification';
const SOUGHT = 'lookup.find-sought';

export function findRoutes(ctx: SlackCtx, lookup: Lookup): Route[] {
  const open = async ({ openModal }: Interaction) => void (await openModal(findView(ctx)));
  return routesFor('everyone', [
    { surface: 'shortcut', id: 'find_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_FIND, answer: open },
    { surface: 'view', id: FIND, take: (view) => take(ctx, lookup, view) },
  ]);
}

function take(ctx: SlackCtx, lookup: Lookup, view: FilledView): Submitted {
  const { environments } = ctx;
  const typed = view.valueIn(SOUGHT) ?? '';
  try {
    refuseMasked(typed);
    const targets = lookupTargetsIn(typed, environments);
    const environment = chosenEnvironment(view, environments);
    return inItsModal(ctx, {
      next: waitingView(TITLE, mrkdwn`⏳ Looking …`),
      work: async () => modalResult(withoutShare(await lookup(targets, environment, { working: () => {} })), TITLE),
    });
  } catch (error) {
    if (error instanceof InputError) return { is: 'invalid', errors: { [SOUGHT]: error.message } };
    throw error;
  }
}

function findView({ environments }: SlackCtx): ModalView {
  return formView({
    callbackId: FIND,
    title: TITLE,
    submit: 'Look up',
    blocks: [
      textInput({
        blockId: SOUGHT,
        label: 'What to look for',
        hint: 'IDs, email addresses or links, also in a longer text',
        isFocused: true,
      }),
      ...environmentInput(environments, environments[0]),
    ],
  });
}
