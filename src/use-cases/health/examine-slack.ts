import { type CheckResult, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import { type MissingScope, missingScopes } from '../../domain/health/missing-scopes.ts';
import type { TokenCheck, TokenChecks } from '../../domain/health/token-check.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { SetupCheck } from './examine.ts';

export interface ExamineSlackParts {
  readonly tokenChecks: TokenChecks;
  /** Each scope that the bot token needs, with its purpose. */
  readonly neededScopes: Readonly<Record<string, string>>;
}

const REINSTALL =
  'Paste the manifest again under App Manifest of the Slack app, save, and reinstall the app to the workspace.';

/** Checks the tokens, their scopes, and Slack's clock. */
export function slackChecks({ tokenChecks, neededScopes }: ExamineSlackParts): SetupCheck[] {
  const bot = {
    subject: 'Bot token',
    look: async () => {
      const check = await tokenChecks.bot();
      if (check.is === 'refused') return [refused('Bot token', check)];
      return [
        fine('Bot token', 'Accepted by Slack.'),
        ...scopeResults(check.scopes, neededScopes),
        clockResult('Clock', check.clockAheadMs),
      ];
    },
  };
  return [bot, wayInCheck(tokenChecks.app)];
}

function wayInCheck(ask: TokenChecks['app']): SetupCheck {
  if (ask === null) {
    const signed = fine('Signing secret', "Slack's requests are signed with it; this command's was.");
    return { subject: 'Signing secret', look: async () => [signed] };
  }
  return {
    subject: 'App token',
    look: async () => {
      const check = await ask();
      return [check.is === 'refused' ? refused('App token', check) : fine('App token', 'Accepted by Slack.')];
    },
  };
}

function refused(
  subject: string,
  { variable, word, next }: Extract<TokenCheck, { readonly is: 'refused' }>,
): CheckResult {
  return checkResult('problem', subject, {
    what: `Slack refuses ${variable} with ${word}.`,
    next: `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`,
  });
}

function scopeResults(granted: readonly string[] | null, needed: Readonly<Record<string, string>>): CheckResult[] {
  if (granted === null) {
    return [
      checkResult('unknown', 'Scopes', {
        what: 'Slack did not say which scopes Notif has.',
        next: 'Try again in a minute.',
      }),
    ];
  }
  const missing = missingScopes(granted, needed);
  const unused = granted.filter((scope) => !Object.hasOwn(needed, scope));
  const all =
    missing.length === 0 ? [fine('Scopes', `All ${Object.keys(needed).length} that are needed were granted.`)] : [];
  return [...missing.map(missingScope), ...unusedScopes(unused), ...all];
}

function missingScope({ scope, use }: MissingScope): CheckResult {
  return checkResult('problem', 'Scopes', {
    what: `${scope} was not granted. It is needed for ${use}.`,
    next: REINSTALL,
  });
}

function unusedScopes(scopes: readonly string[]): CheckResult[] {
  if (scopes.length === 0) return [];
  const about = scopes.map((id) => ({ kind: 'word', id }) as const);
  const what = `Notif was granted ${counted(scopes.length, 'scope')} that it does not use:`;
  return [checkResult('advice', 'Scopes', { what, about, next: REINSTALL })];
}

/** A clock that is further off shows people wrong times; at five minutes off, the signatures of Slack's requests fail. */
const OFF_MS = 30_000;

function clockResult(subject: string, aheadMs: number | null): CheckResult {
  if (aheadMs === null) {
    return checkResult('unknown', subject, {
      what: 'Slack did not say what time it is.',
      next: 'Try again in a minute.',
    });
  }
  if (Math.abs(aheadMs) < OFF_MS) return fine(subject, "In step with Slack's clock.");
  const ours = aheadMs > 0 ? 'behind' : 'ahead of';
  return checkResult('problem', subject, {
    what: `Notif's clock is ${describeDuration(Math.abs(aheadMs))} ${ours} Slack's.`,
    next: 'Set the clock of the machine that Notif runs on, by a time server (NTP).',
  });
}
