import { boundedId, maskedId } from '../lib/text/shown-id.ts';
import type { Workflow } from '../service/event.ts';
import type { Integration } from '../service/integration.ts';
import type { IntegrationAspect, IntegrationChange, WorkflowAspect, WorkflowChange } from './change.ts';

export interface IntegrationState {
  readonly key: string;
  /** With contacts masked. */
  readonly name: string;
  readonly channel: string;
  readonly provider: string;
  readonly active: boolean;
  readonly primary: boolean;
  readonly deleted: boolean;
  readonly conditions: readonly string[] | null;
  readonly inboundWebhook: boolean;
}

export interface IntegrationsReading {
  readonly integrations: readonly IntegrationState[];
  /** Whether every item of the list could be read; only then is a missing integration gone. */
  readonly isWhole: boolean;
}

export function stateOf(integration: Integration): IntegrationState {
  const { id, identifier, name, channel, provider, active, primary, deleted } = integration;
  const fields = integration.conditionFields.map((field) => `${field}`);
  return {
    ...{ channel, provider, active, primary, deleted },
    key: boundedId(id ?? identifier),
    name: maskedId(name),
    conditions: integration.hasConditions ? [...new Set(fields)].sort() : null,
    inboundWebhook: integration.inboundWebhook ?? false,
  };
}

export interface ReadingComparison {
  readonly changes: readonly IntegrationChange[];
  readonly integrations: readonly IntegrationState[];
}

/** A missing integration counts as removed, unless the list is empty or part of it couldn't be read; then it stays as it was. */
export function compareReadings(before: readonly IntegrationState[], reading: IntegrationsReading): ReadingComparison {
  const after = reading.integrations;
  const known = new Map(before.map((integration) => [integration.key, integration]));
  const listed = new Set(after.map(({ key }) => key));
  const missing = before.filter(({ key }) => !listed.has(key));
  const isCertain = reading.isWhole && after.length > 0;
  return {
    changes: [
      ...after.flatMap((now) => changesOf(known.get(now.key), now)),
      ...(isCertain ? missing.map((integration) => changeOf(integration, ['removed'])) : []),
    ],
    integrations: isCertain ? after : [...after, ...missing],
  };
}

function changesOf(was: IntegrationState | undefined, now: IntegrationState): IntegrationChange[] {
  if (was === undefined) return [changeOf(now, ['added'])];
  const aspects = aspectsOf(was, now);
  return aspects.length === 0 ? [] : [changeOf(now, aspects, was.name === now.name ? null : was.name)];
}

function changeOf(
  { name, channel, provider }: IntegrationState,
  aspects: readonly IntegrationAspect[],
  earlierName: string | null = null,
): IntegrationChange {
  return { kind: 'integration', name, channel, provider, aspects, earlierName };
}

/** The most important first. */
function aspectsOf(was: IntegrationState, now: IntegrationState): IntegrationAspect[] {
  return [
    ...turned(was.deleted, now.deleted, 'deleted', 'restored'),
    ...turned(was.active, now.active, 'activated', 'deactivated'),
    ...turned(was.primary, now.primary, 'made-primary', 'no-longer-primary'),
    ...(was.provider === now.provider && was.channel === now.channel ? [] : ['provider-changed' as const]),
    ...conditionsChanged(was.conditions, now.conditions),
    ...turned(was.inboundWebhook, now.inboundWebhook, 'webhook-on', 'webhook-off'),
    ...(was.name === now.name ? [] : ['renamed' as const]),
  ];
}

function turned(was: boolean, is: boolean, on: IntegrationAspect, off: IntegrationAspect): IntegrationAspect[] {
  if (was === is) return [];
  return [is ? on : off];
}

function conditionsChanged(was: IntegrationState['conditions'], is: IntegrationState['conditions']) {
  if (was === null || is === null) return turned(was !== null, is !== null, 'conditions-added', 'conditions-removed');
  return JSON.stringify(was) === JSON.stringify(is) ? [] : ['conditions-changed' as const];
}

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

/** Compares only what all events of a workflow share: its name, and the variables declared by its trigger, if both events declare some. */
export function workflowChange(was: Compared, is: Compared): WorkflowChange | null {
  const aspects: WorkflowAspect[] = [
    ...(declaresOthers(was.variables, is.variables) ? (['variables-changed'] as const) : []),
    ...(was.name === is.name ? [] : (['renamed'] as const)),
  ];
  if (aspects.length === 0) return null;
  return { kind: 'workflow', identifier: is.identifier, name: maskedId(is.name), aspects };
}

function declaresOthers(was: readonly string[], is: readonly string[]): boolean {
  if (was.length === 0 || is.length === 0) return false;
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  return inOrder(was) !== inOrder(is);
}
