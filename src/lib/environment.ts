import { notInList } from './closed-list.ts';
import { isAmong } from './fold.ts';

export interface Environment {
  name: string;
  label: string;
  dashboardUrl: string | null;
  isProtected: boolean;
  apiHost: string;
  apiUrlVariable: string;
  apiKeyVariable: string;
}

export function dashboardLink(
  { dashboardUrl }: Pick<Environment, 'dashboardUrl'>,
  event: { id: string | null; serviceEnvironmentId: string | null },
): string | null {
  if (dashboardUrl === null || event.id === null || event.serviceEnvironmentId === null) return null;
  const path = `/env/${encodeURIComponent(event.serviceEnvironmentId)}/activity/workflow-runs`;
  return `${dashboardUrl}${path}?activityItemId=${encodeURIComponent(event.id)}`;
}

export function environmentNamed(name: string | undefined, environments: readonly Environment[]): Environment {
  const environment = environments.find((known) => name === undefined || isAmong([known.name, known.label], [name]));
  if (environment !== undefined) return environment;
  const names = environments.map((known) => known.name);
  throw notInList('env', name ?? '', names, 'environment');
}

export function labeled(name: string, environments: readonly Environment[]): Pick<Environment, 'label'> {
  return environments.find((known) => known.name === name) ?? { label: name };
}
