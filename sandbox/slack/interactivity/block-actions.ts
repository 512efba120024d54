import { echoed } from '../block-kit/echo.ts';
import type { Json, PageAct } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { controlAt, placeOf } from './surfaces.ts';
import { tell } from './tell.ts';

type BlockAction = Extract<PageAct, { do: 'block-action' }>;

/** Handles a person's click on a button, choice from a menu or change of an element that dispatches. */
export async function blockAction(person: SeedPerson, act: BlockAction, slack: SlackState): Promise<Interaction> {
  const place = placeOf(act.surface, person, slack);
  const control = controlAt(place, act.blockId, act.actionId);
  if (place === undefined || control === undefined) return failed('control_not_found', 'This is no longer there.');
  const actionTs = slack.nextTs();
  return tell(
    {
      ...common('block_actions', person, slack),
      trigger_id: slack.triggers.issue(person.id),
      ...place.responseUrl(),
      ...place.payload(act.state),
      actions: [{ ...echoed({ ...ofElement(control.element), ...act.action }), ...idsOf(act), action_ts: actionTs }],
    },
    slack,
  );
}

/** Returns what Slack copies from the element itself: a button's text and value. */
function ofElement({ type, text, value }: Json): Json {
  const said = Object.entries({ text, value }).filter(([, each]) => each !== undefined);
  return { type, ...Object.fromEntries(said) };
}

function idsOf({ blockId, actionId }: BlockAction): Json {
  return { block_id: blockId, action_id: actionId };
}
