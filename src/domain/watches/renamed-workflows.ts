import { isAmong } from '../fold.ts';
import { isAbout, type WatchFilter } from './watch.ts';

export interface RenamedWorkflow {
  readonly identifier: string;
  readonly earlierName: string;
}

/** As many as a command accepts in one filter. */
const MOST_VALUES = 20;

/** Adds identifiers; the earlier name stays, since another workflow may have it. Null if nothing changes, or the filter is full. */
export function followRenamed(
  filter: WatchFilter,
  environment: string,
  renamed: readonly RenamedWorkflow[],
): WatchFilter | null {
  const { workflows } = filter;
  if (!isAbout(filter, environment)) return null;
  const added = renamed
    .filter(({ identifier, earlierName }) => isAmong([earlierName], workflows) && !isAmong([identifier], workflows))
    .map(({ identifier }) => identifier);
  if (added.length === 0 || workflows.length + added.length > MOST_VALUES) return null;
  return { ...filter, workflows: [...workflows, ...added] };
}
