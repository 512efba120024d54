import { FATES, type Week, type Workflow } from '../week/week.ts';

/** A delivery attempt and why it fails; null if it is delivered. Times are milliseconds. */
export interface Attempt {
  readonly at: number;
  readonly workflow: string;
  readonly failsWith: string | null;
}

/** The time until the service shows that an attempt was refused. */
const REFUSED_AFTER_MS = 1_000;

/** Converts attempts to the week that the model service holds. */
export function weekOf(attempts: readonly Attempt[], workflows: readonly Workflow[], from: number, to: number): Week {
  const sorted = attempts.toSorted((a, b) => a.at - b.at);
  const causes = [...new Set(sorted.flatMap(({ failsWith }) => failsWith ?? []))];
  const fateOf = ({ failsWith }: Attempt) => FATES.indexOf(failsWith === null ? 'delivered' : 'refused');
  return {
    ...{ from, to, workflows, outages: [], causes },
    createdAt: Float64Array.from(sorted, ({ at }) => at),
    workflow: Uint8Array.from(sorted, ({ workflow }) =>
      workflows.findIndex(({ identifier }) => identifier === workflow),
    ),
    fate: Uint8Array.from(sorted, fateOf),
    failsAt: Float64Array.from(sorted, ({ at, failsWith }) => (failsWith === null ? 0 : at + REFUSED_AFTER_MS)),
    cause: Uint16Array.from(sorted, ({ failsWith }) => Math.max(0, causes.indexOf(failsWith ?? ''))),
    subscriber: Uint32Array.from(sorted, (_, index) => 1 + (index % 900)),
  };
}
