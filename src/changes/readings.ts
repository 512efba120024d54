import { boundedId, maskedId } from '../lib/text/shown-id.ts';
import type { Workflow } from '../service/event.ts';
import type { Integration } from '../service/integration.ts';
import { type IntegrationChange, RENAMED, type WorkflowChange } from './change.ts';

export type IntegrationState = ReturnType<typeof stateOf>;

export function stateOf(integration: Integration) {
  const { id, identifier, name, channel, provider, active, primary, deleted } = integration;
  return {
    ...{ channel, provider, active, primary, deleted },
    key: boundedId(id ?? identifier),
    name: maskedId(name),
    conditions: integration.hasConditions ? integration.conditionFields.map(String).sort() : null,
    inboundWebhook: integration.inboundWebhook ?? false,
  };
}

export interface IntegrationsReading {
  readonly integrations: readonly IntegrationState[];
  readonly isWhole: boolean;
}

export function compareReadings(
  before: readonly IntegrationState[],
  { integrations: after, isWhole }: IntegrationsReading,
) {
  const known = new Map(before.map((integration) => [integration.key, integration]));
  const listed = new Set(after.map(({ key }) => key));
  const missing = before.filter(({ key }) => !listed.has(key));
  const isCertain = isWhole && after.length > 0;
  const changes = [
    ...after.map((now) => changeOf(now, aspectsOf(known.get(now.key), now))),
    ...(isCertain ? missing.map((integration) => changeOf(integration, ['removed'])) : []),
  ];
  return {
    changes: changes.filter(({ aspects }) => aspects.length > 0),
    integrations: isCertain ? after : [...after, ...missing],
  };
}

function changeOf({ name, channel, provider }: IntegrationState, aspects: readonly string[]): IntegrationChange {
  return { kind: 'integration', name, channel, provider, aspects };
}

function aspectsOf(was: IntegrationState | undefined, now: IntegrationState): string[] {
  if (was === undefined) return ['added'];
  const turned = (name: 'deleted' | 'active' | 'primary' | 'inboundWebhook', on: string, off: string) =>
    was[name] === now[name] ? null : now[name] ? on : off;
  return [
    turned('deleted', 'deleted', 'restored'),
    turned('active', 'activated', 'deactivated'),
    turned('primary', 'made primary', 'no longer primary'),
    was.provider === now.provider && was.channel === now.channel ? null : 'provider changed',
    JSON.stringify(was.conditions) === JSON.stringify(now.conditions) ? null : 'conditions changed',
    turned('inboundWebhook', 'webhook on', 'webhook off'),
    was.name === now.name ? null : `${RENAMED} from ${was.name}`,
  ].filter((aspect) => aspect !== null);
}

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

export function workflowChange(was: Compared, is: Compared): WorkflowChange | null {
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  const isDeclared = was.variables.length > 0 && is.variables.length > 0;
  const aspects = [
    ...(isDeclared && inOrder(was.variables) !== inOrder(is.variables) ? ['variables changed'] : []),
    ...(was.name === is.name ? [] : [RENAMED]),
  ];
  if (aspects.length === 0) return null;
  return { kind: 'workflow', identifier: is.identifier, name: maskedId(is.name), aspects };
}
