import { missingScopes } from '../domain/health/missing-scopes.ts';
import type { Logger } from '../domain/logger.ts';
import { SCOPE_USES } from '../slack/scopes.ts';

/** Without `users:read` Notif refuses everyone, so nobody could ask `/notif doctor`. `granted`: null if Slack didn't list them. */
export function warnMissingScopes(granted: readonly string[] | null, logger: Logger): void {
  for (const { scope, use } of granted === null ? [] : missingScopes(granted, SCOPE_USES)) {
    logger.warn(
      { scope, use, next: 'reinstall the Slack app with the scopes of manifest.yml: docs/slack-app.md' },
      'Slack did not grant a scope that Notif needs',
    );
  }
}
