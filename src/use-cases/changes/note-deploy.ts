import type { Logger } from '../../domain/logger.ts';

export interface ReportedDeploy {
  readonly environment: string;
  /** As `deployName` keeps it. */
  readonly name: string;
  /** The Slack user who reported it, and in which channel; null for a pipeline. */
  readonly by: { readonly userId: string; readonly channel: string | null } | null;
}

export interface DeployStore {
  /**
   * Records a deploy, and who reported it in the audit trail; in the same transaction. False where the same was recorded for the environment within
   * the last minutes: a pipeline that tries again reports one deploy.
   */
  noteDeploy(deploy: ReportedDeploy, now: Date): Promise<boolean>;
}

export interface NoteDeployParts {
  readonly store: DeployStore;
  /** Has rows that it may explain drawn again. */
  readonly wakeAnnouncing: () => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Records that something was deployed. False where that was recorded already. */
export async function noteDeploy(
  deploy: ReportedDeploy,
  { store, wakeAnnouncing, logger, now }: NoteDeployParts,
): Promise<boolean> {
  const isNew = await store.noteDeploy(deploy, now());
  const { environment, by } = deploy;
  logger.info({ environment, by: by?.userId ?? null, isNew }, 'deploy reported');
  if (isNew) await wakeAnnouncing();
  return isNew;
}
