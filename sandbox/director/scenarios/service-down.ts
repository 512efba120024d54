import { quiet } from '../fault-windows.ts';
import { MINUTE, type Scenario, SECOND } from '../scenario.ts';

export const serviceDown: Scenario = {
  name: 'service-down',
  title: 'Service down',
  description:
    'Production answers with a gateway’s page (503) at first; then nothing listens there, for six minutes in all.',
  lookFor:
    'Commands say at once what is wrong, and staging still works. After five minutes #oncall gets a message that production cannot be read; then that it can again, and that nothing was missed.',
  lastsMs: 7 * MINUTE,
  alone: false,
  plan: (random) => {
    const refusedFrom = random.between(30, 60) * SECOND;
    return [
      {
        from: 0,
        to: refusedFrom,
        what: 'The gateway answers 503',
        fault: { kind: 'service fault', fault: { kind: 'html', status: 503 } },
      },
      {
        from: refusedFrom,
        to: 6 * MINUTE,
        what: 'The connection is refused',
        fault: { kind: 'service gone' },
      },
      quiet('The service is back', { from: 6 * MINUTE, to: 7 * MINUTE }),
    ];
  },
};
