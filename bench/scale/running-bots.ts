import { setTimeout as wait } from 'node:timers/promises';
import { type LocalSlack, startLocalSlack } from '../../sandbox/slack/server.ts';
import { type BuiltBot, IMAGE_VARIABLES, MANIFEST_FILE, startBuiltBot } from '../built-bot.ts';
import { withTemporaryFolder } from '../ground.ts';
import type { Tenancy } from './tenants.ts';
import { allPolled, environmentVariables, startTenants, type TenantsService } from './tenants-process.ts';

export const POLL_SECONDS = 60;
const FIRST_POLLS_WITHIN_MS = 4 * 60_000;
/** Until what runs at a start is over. */
const SETTLE_MS = 10_000;

export interface BotsPlan extends Omit<Tenancy, 'firstAt'> {
  readonly processes: number;
  /** So long before the start the service had its first event. */
  readonly historyMs: number;
}

/** Processes of the built bot, with the service and the Slack that they are connected to. */
export interface RunningBots {
  readonly bots: BuiltBot[];
  readonly tenancy: Tenancy;
  readonly service: TenantsService;
  readonly slack: LocalSlack;
  /** From the start of the first process until each environment had been polled. */
  readonly firstPollsSeconds: number;
}

/**
 * Runs `work` with bots that have polled each environment. They have the embedded database unless `variables` name another one, which
 * more than one process needs.
 */
export async function withBots<Result>(
  plan: BotsPlan,
  variables: NodeJS.ProcessEnv,
  work: (running: RunningBots) => Promise<Result>,
): Promise<Result> {
  const { processes, historyMs, ...usual } = plan;
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const tenancy = { ...usual, firstAt: Date.now() - historyMs };
  const service = await startTenants(tenancy);
  const settings = {
    ...IMAGE_VARIABLES,
    NOTIF_POLL_SECONDS: String(POLL_SECONDS),
    ...environmentVariables(plan.environments, service.url),
    ...variables,
  };
  const bots: BuiltBot[] = [];
  try {
    return await withTemporaryFolder(async (folder) => {
      try {
        const begun = performance.now();
        for (let process = 1; process <= processes; process += 1) {
          const bot = await startBuiltBot(slack, service.url, `${folder}/${process}`, settings);
          bots.push(bot);
          await bot.ready();
        }
        const { environments } = plan;
        await allPolled(service, { environments, since: 0, withinMs: FIRST_POLLS_WITHIN_MS });
        const firstPollsSeconds = (performance.now() - begun) / 1_000;
        await wait(SETTLE_MS);
        return await work({ bots, tenancy, service, slack, firstPollsSeconds });
      } finally {
        await Promise.all(bots.map((bot) => bot.stop()));
      }
    });
  } finally {
    service.stop();
    await slack.close();
  }
}
