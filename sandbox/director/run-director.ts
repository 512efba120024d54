import type { Running } from '../close-on-signal.ts';
import type { LocalSlack } from '../slack/server.ts';
import { Director } from './director.ts';
import type { Stage } from './inject-fault.ts';
import { directorRoutes } from './routes.ts';
import { SCENARIOS } from './scenarios.ts';

const TICK_MS = 100;

interface RunOptions {
  readonly service: Stage['service'];
  readonly slack: LocalSlack;
}

/** Runs a director by the machine's clock. The page and the command line reach it at the local Slack's address. */
export function runDirector({ service, slack }: RunOptions): Pick<Director, 'start'> & Running {
  const director = new Director({ scenarios: SCENARIOS, stage: { service, slack }, now: Date.now });
  slack.mount('/director/', directorRoutes(director));
  const ticking = setInterval(() => void director.catchUp().catch(complain), TICK_MS);
  return {
    start: (name, options) => director.start(name, options),
    close: () => {
      clearInterval(ticking);
      return director.close();
    },
  };
}

function complain(error: unknown): void {
  console.error('A scenario could not end what it had begun. Stop the sandbox and start it again.', error);
}
