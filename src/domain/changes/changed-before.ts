import { fold } from '../fold.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Changed, EnvironmentChange } from './change.ts';

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

/** By an integration of its channel and provider, by its only workflow, or by a deploy, in this order, and the last of those. */
export function changedBefore(changes: readonly EnvironmentChange[], incident: Explained): ChangeBefore | null {
  const fitting = changes.filter((change) => isShortlyBefore(change, incident) && concerns(change.what, incident));
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
  switch (what.kind) {
    case 'deploy':
      return true;
    case 'workflow':
      return what.aspects.some((aspect) => aspect !== 'renamed') && workflow === what.identifier;
    case 'integration':
      return (
        what.aspects.some((aspect) => aspect !== 'renamed') &&
        fold(what.channel) === fold(channel) &&
        (provider === null || fold(what.provider) === fold(provider))
      );
  }
}

const KINDS: readonly Changed['kind'][] = ['integration', 'workflow', 'deploy'];

function rank({ what }: EnvironmentChange): number {
  return KINDS.indexOf(what.kind);
}
