import { alertmanagerTrouble } from '../alerts/pager.ts';
import { noteDeploy } from '../changes/changes.ts';
import type { Config } from '../config.ts';
import { environmentHealth } from '../health/environment-health.ts';
import { readinessOf } from '../health/readiness.ts';
import type { StatusCtx } from '../health/status.ts';
import { openRows } from '../incidents/open-incidents.ts';
import { together } from '../lib/together.ts';
import { backlogOf } from '../outbox/backlog.ts';
import { answerDeploys } from '../process/deploys.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Answering } from '../process/server.ts';

type AnswersCtx = StatusCtx & Parameters<typeof noteDeploy>[0];

interface AnswerOptions extends Pick<Answering, 'answerSlack'> {
  config: Pick<Config, 'deployToken' | 'alertmanager' | 'hasMetrics'>;
  metrics: Pick<Metrics, 'scrape'>;
}

/** What the HTTP server answers with once all is made. */
export function httpAnswers(ctx: AnswersCtx, { config, metrics, answerSlack }: AnswerOptions): Answering {
  const { db, now, environments } = ctx;
  const { deployToken: token, alertmanager } = config;
  const names = environments.map(({ name }) => name);
  const readShared = async () => ({
    health: await environmentHealth(db, now()),
    backlog: await backlogOf(db, now()),
    open: await openRows(db, names, now()),
    isPaging: alertmanager && (await alertmanagerTrouble(db)) === null,
  });
  return {
    // Anybody may ask, and each answer costs the database.
    readiness: together(() => readinessOf(ctx)),
    scrape: config.hasMetrics ? together(() => metrics.scrape({ ...ctx, readShared })) : null,
    answerSlack,
    answerDeploys:
      token === null ? null : answerDeploys({ ...ctx, token, noteDeploy: (deploy) => noteDeploy(ctx, deploy) }),
  };
}
