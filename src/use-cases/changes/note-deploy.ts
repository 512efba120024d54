import type { Logger } from '../../domain/logger.ts';

export interface ReportedDeploy {
  readonly environment: string;
  /** As returned by `deployName`. */
  readonly name: string;
  readonly by: { readonly userId: string; readonly channel: string | null } | null;
}

export interface DeployStore {
  /** With its audit entry, in one transaction. False if it was recorded within the last minutes, so a pipeline's retries report one deploy. */
  noteDeploy(deploy: ReportedDeploy, now: Date): Promise<boolean>;
}

export interface NoteDeployParts {
  readonly store: DeployStore;
  readonly wakeAnnouncing: () => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
}

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
