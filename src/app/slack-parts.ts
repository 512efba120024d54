import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { CheckNow } from '../health/check.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import { newReference } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Loops } from '../lib/loop.ts';
import { createSeal } from '../lib/seal.ts';
import { sleep } from '../lib/time/waiting.ts';
import { createCheckNow, type Polls } from '../polling/check-now.ts';
import { createProgressReporter } from '../slack/features/trigger/publisher.ts';
import { createAccessControl } from '../slack/router/authorization.ts';
import type { SlackConnection } from '../slack/router/connection.ts';
import { createPostNotice } from '../slack/router/post-notice.ts';
import { SCOPE_USES } from '../slack/router/scopes.ts';
import { createChannels } from '../slack/workspace/channels.ts';
import { createUserGroups } from '../slack/workspace/user-groups.ts';
import { createWorkspace } from '../slack/workspace/workspace.ts';
import type { Store } from '../store/store.ts';
import { daysKept } from './days-kept.ts';
import { ANNOUNCE, DELIVER, pollLoop } from './loops.ts';
import type { ServiceClients } from './service-clients.ts';

interface SlackPartsOptions {
  readonly logger: Logger;
  readonly now: () => Date;
  readonly store: Store;
  readonly polling: PollingCtx;
  readonly polls: Polls;
  readonly slack: SlackConnection;
  readonly clientFor: ServiceClients;
  readonly loops: Loops;
  readonly version: string;
  readonly signal: AbortSignal;
}

export type SlackParts = ReturnType<typeof createSlackParts>;

export function createSlackParts(config: Config, parts: SlackPartsOptions) {
  const { logger, now, store, polling, slack, clientFor, loops, signal } = parts;
  const environments = config.environments.map(({ environment }) => environment);
  const groups = createUserGroups({ client: slack.client, logger, now, sleep });
  const seal = createSeal(config.slack.botToken);
  const wakeDelivery = () => loops.wake(DELIVER);
  return {
    environments,
    db: store.db,
    client: slack.client,
    wakeDelivery,
    wakeAnnouncing: () => loops.wake(ANNOUNCE),
    operators: config.operators,
    seal,
    accessControl: createAccessControl({
      client: slack.client,
      homeTeam: slack.homeTeam,
      guests: config.guests,
      operators: config.operators,
      groups,
      logger,
      now,
      sleep,
    }),
    groups,
    workspace: createWorkspace(slack.client, logger, now),
    channels: createChannels({ client: slack.client, logger, now }),
    tokenChecks: slack.tokenChecks,
    neededScopes: SCOPE_USES,
    hasHeartbeat: config.heartbeatUrl !== null,
    warnings: config.warnings,
    postNotice: createPostNotice(slack.deliveryClient),
    explainCause: parts.polling.explainCause,
    serviceOf: (environment: string) => clientFor(environment).service,
    checkNow: checkNowWith(parts),
    store,
    logger,
    now,
    sleep,
    newReference,
    newId: randomUUID,
    signal,
    reporter: createProgressReporter(slack.client, slack.deliveryClient, environments, logger),
    retentionDays: daysKept(config),
    horizonMs: polling.horizonMs,
    pollMs: polling.pollMs,
    slackStatus: () => ({ isConnected: slack.isConnected(), lastTrouble: slack.lastTrouble() }),
    behind: loops.behind,
    loadOf: (environment: string) => clientFor(environment).limiter.state(),
    running: { version: parts.version, startedAt: now() },
  };
}

function checkNowWith({ polls, clientFor, loops }: SlackPartsOptions): CheckNow {
  return createCheckNow({
    polls,
    wakePoll: (environment) => loops.wake(pollLoop(environment)),
    sleep,
    pauseMs: (environment) => {
      const { pause, limiter } = clientFor(environment);
      return Math.max(pause.leftMs(), limiter.state().heldForMs);
    },
  });
}
