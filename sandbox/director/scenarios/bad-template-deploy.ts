import type { BrokenTemplate } from '../../notification-service/world.ts';
import { quiet } from '../fault-windows.ts';
import { type FaultWindow, MINUTE, type Scenario, SECOND } from '../scenario.ts';

/** Errors in a new version of a template, in the words of the service's template engine. */
const mistakes: readonly [BrokenTemplate, ...BrokenTemplate[]] = [
  { workflow: 'order-shipped', step: 'email', raw: 'Liquid error: undefined variable payload.parcel.number (line 14)' },
  { workflow: 'password-reset', step: 'email', raw: "Liquid error: tag 'endif' has no matching 'if' (line 31)" },
  { workflow: 'order-shipped', step: 'in_app', raw: 'Liquid error: undefined filter: currencey (line 3)' },
];

export const badTemplateDeploy: Scenario = {
  name: 'bad-template-deploy',
  title: 'Bad template deploy',
  description: 'A new version of a template cannot be rendered. It is rolled back two and a half minutes later.',
  lookFor:
    'One group of one workflow, with the line of the template that is wrong; other workflows of the same provider are fine.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => {
    const mistake = random.pick(mistakes);
    const rollBack = 2 * MINUTE + random.between(20, 40) * SECOND;
    const deployed: FaultWindow = {
      from: 0,
      to: rollBack,
      what: `The new template of ${mistake.workflow} (${mistake.step}) cannot be rendered`,
      fault: { kind: 'broken template', ...mistake },
    };
    return [deployed, quiet('Rolled back: it is delivered again', { from: rollBack, to: 4 * MINUTE })];
  },
};
