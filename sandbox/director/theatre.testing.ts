import { type LocalService, startLocalService } from '../service/server.ts';
import { startSlack } from '../slack/local-slack.testing.ts';
import type { LocalSlack, LocalSlackOptions } from '../slack/server.ts';
import { Director } from './director.ts';
import type { Scenario } from './scenarios.ts';

/** A director with its own service and Slack, and a clock that stands still until it is advanced. */
export interface Theatre {
  director: Director;
  service: LocalService;
  slack: LocalSlack;
  /** Advances the clock and does what is due by then. */
  passes(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function openTheatre(
  scenarios: readonly Scenario[],
  options: Pick<LocalSlackOptions, 'pageFiles'> = {},
): Promise<Theatre> {
  let now = Date.parse('2026-03-10T12:00:00.000Z');
  const service = await startLocalService({ now: () => now });
  const slack = await startSlack({ ...options, now: () => now });
  const director = new Director(scenarios, { service, slack }, () => now);
  return {
    director,
    service,
    slack,
    passes: (ms) => {
      now += ms;
      service.advance();
      return director.catchUp();
    },
    close: async () => {
      await director.close();
      await slack.close();
      await service.close();
    },
  };
}
