import { InputError } from '../lib/errors.ts';
import { fold } from '../lib/fold.ts';
import { scrub } from '../lib/text/scrub.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';

export interface EnvironmentChange {
  readonly id: number;
  readonly environment: string;
  /** When Notif noticed it or somebody reported it; it was made by then. */
  readonly at: Date;
  /** When Notif last looked and it had not been made. Null if `at` is the exact time. */
  readonly after: Date | null;
  readonly what: Changed;
}

export type Changed = IntegrationChange | WorkflowChange | Deploy;

/** Never a credential or an address; names have contacts masked. */
export interface IntegrationChange {
  readonly kind: 'integration';
  readonly name: string;
  readonly channel: string;
  readonly provider: string;
  /** 'deactivated', 'renamed from Mail' */
  readonly aspects: readonly string[];
}

export interface WorkflowChange {
  readonly kind: 'workflow';
  readonly identifier: string;
  readonly name: string;
  readonly aspects: readonly string[];
}

export interface Deploy {
  readonly kind: 'deploy';
  /** Without secrets and contacts. */
  readonly name: string;
  /** The Slack user who reported it; null for a pipeline. */
  readonly by: string | null;
}

/** A deploy's name is one line in rows and lists. */
export const LONGEST_DEPLOY = 200;

/** Throws an `InputError` if it is empty or too long. */
export function deployName(typed: string, example: string): string {
  if (typed.trim().length > LONGEST_DEPLOY)
    throw new InputError('what', `A deploy's name has at most ${LONGEST_DEPLOY} characters.`, example);
  const name = scrub(typed);
  if (name === '') throw new InputError('what', 'What was deployed?', example);
  return name;
}

export interface Explained {
  readonly channel: string;
  readonly provider: string | null;
  /** The only workflow that fails; null if there are several. */
  readonly workflow: string | null;
  readonly firstFailureAt: Date;
}

/** A change made earlier than this before the first failure isn't named. */
export const MAY_EXPLAIN_MS = 30 * MINUTE_MS;

/** A change noticed later than this after the first failure isn't named, since it may have been made afterwards. */
export const NOTICED_AFTER_MS = 10 * MINUTE_MS;

export interface ChangeBefore extends EnvironmentChange {
  /** How many deploys there were in the half hour before the first failure, besides it; 0 where it isn't a deploy. */
  readonly moreDeploys: number;
}

const KINDS: readonly Changed['kind'][] = ['integration', 'workflow', 'deploy'];

/** By an integration of its channel and provider, by its only workflow, or by a deploy, in this order, and the last of those. */
export function changedBefore(changes: readonly EnvironmentChange[], incident: Explained): ChangeBefore | null {
  const fitting = changes.filter((change) => isShortlyBefore(change, incident) && concerns(change.what, incident));
  const rank = ({ what }: EnvironmentChange) => KINDS.indexOf(what.kind);
  const [best] = fitting.sort((a, b) => rank(a) - rank(b) || b.at.getTime() - a.at.getTime() || b.id - a.id);
  if (best === undefined) return null;
  return { ...best, moreDeploys: best.what.kind === 'deploy' ? fitting.length - 1 : 0 };
}

/** Returns whether it was made between a look at most half an hour before the failure and one at most ten minutes after it. */
function isShortlyBefore({ at, after }: Pick<EnvironmentChange, 'at' | 'after'>, { firstFailureAt }: Explained) {
  const first = firstFailureAt.getTime();
  const from = (after ?? at).getTime();
  return from <= first && first - from <= MAY_EXPLAIN_MS && at.getTime() - first <= NOTICED_AFTER_MS;
}

function concerns(what: Changed, { channel, provider, workflow }: Explained): boolean {
  if (what.kind === 'deploy') return true;
  if (what.aspects.every((aspect) => aspect.startsWith(RENAMED))) return false;
  if (what.kind === 'workflow') return workflow === what.identifier;
  return fold(what.channel) === fold(channel) && (provider === null || fold(what.provider) === fold(provider));
}

export const RENAMED = 'renamed';
