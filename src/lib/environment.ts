import { notInList } from './closed-list.ts';
import { fold } from './fold.ts';

export interface Environment {
  readonly name: string;
  readonly label: string;
  /** Base address of the service's dashboard; without it there are no links. */
  readonly dashboardUrl: string | null;
  /** Whether every change needs a confirmation first. Defaults to true if it is named production. */
  readonly isProtected: boolean;
  readonly apiUrlVariable: string;
  readonly apiKeyVariable: string;
}

/** Returns the dashboard link of an event (field notes, "Dashboards"); null if no base address is configured, or the event lacks one of the IDs. */
export function dashboardLink(
  environment: Pick<Environment, 'dashboardUrl'>,
  event: { readonly id: string | null; readonly serviceEnvironmentId: string | null },
): string | null {
  if (environment.dashboardUrl === null || event.id === null || event.serviceEnvironmentId === null) return null;
  const path = `/env/${encodeURIComponent(event.serviceEnvironmentId)}/activity/workflow-runs`;
  return `${environment.dashboardUrl.replace(/\/+$/, '')}${path}?activityItemId=${encodeURIComponent(event.id)}`;
}

export function environmentNamed(name: string | undefined, environments: readonly Environment[]): Environment {
  const wanted = name === undefined ? undefined : fold(name);
  const found = environments.find(
    (environment) => wanted === undefined || fold(environment.name) === wanted || fold(environment.label) === wanted,
  );
  if (found !== undefined) return found;
  throw notInList(
    { key: 'env', noun: 'environment' },
    name ?? '',
    environments.map((environment) => environment.name),
  );
}

export function labelled(name: string, environments: readonly Environment[]): Pick<Environment, 'label'> {
  return environments.find((environment) => environment.name === name) ?? { label: name };
}
