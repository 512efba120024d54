import { InputError } from './errors.ts';
import { fold } from './fold.ts';

/** One API address and key, under a name. The key is not here: only the client that was built with it knows it. */
export interface Environment {
  readonly name: string;
  /** What people read; the name unless configured. */
  readonly label: string;
  /** Base address of the service's dashboard; no links without. */
  readonly dashboardUrl: string | null;
  /** Every change asks for confirmation first; so where it is named production, unless the configuration says otherwise. */
  readonly isProtected: boolean;
  /** The names of the variables that set its address and key, for error texts. */
  readonly apiUrlVariable: string;
  readonly apiKeyVariable: string;
}

/**
 * The dashboard's address of an event (field notes, "Dashboards"), or null where no base address is configured or the event has no id.
 */
export function dashboardLink(
  environment: Pick<Environment, 'dashboardUrl'>,
  event: { readonly id: string | null; readonly serviceEnvironmentId: string },
): string | null {
  if (environment.dashboardUrl === null || event.id === null) return null;
  const path = `/env/${encodeURIComponent(event.serviceEnvironmentId)}/activity/workflow-runs`;
  return `${environment.dashboardUrl.replace(/\/+$/, '')}${path}?activityItemId=${encodeURIComponent(event.id)}`;
}

/** The environment that is meant by a name or label; the first without one. Throws `InputError` for an unknown one. */
export function environmentNamed(name: string | undefined, environments: readonly Environment[]): Environment {
  const wanted = name === undefined ? undefined : fold(name);
  const found = environments.find(
    (one) => wanted === undefined || fold(one.name) === wanted || fold(one.label) === wanted,
  );
  if (found !== undefined) return found;
  const known = environments.map((one) => one.name);
  throw new InputError(
    'env',
    `There is no environment ${name}. There are: ${known.join(', ')}.`,
    `env:${known[0] ?? ''}`,
  );
}

/** How an environment is called, by its name in the store; one that is no longer configured goes by that name. */
export function labelled(name: string, environments: readonly Environment[]): Pick<Environment, 'label'> {
  return environments.find((environment) => environment.name === name) ?? { label: name };
}
