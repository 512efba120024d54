import { boundedId, maskedId } from '../lib/text/shown-id.ts';
import type { Workflow } from '../service/event.ts';
import type { Integration } from '../service/integration.ts';
import { type IntegrationChange, RENAMED, type WorkflowChange } from './change.ts';

/** What is compared of an integration; its name has contacts masked. */
export type IntegrationState = ReturnType<typeof stateOf>;

export function stateOf(integration: Integration) {
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

export interface IntegrationsReading {
  readonly integrations: readonly IntegrationState[];
  /** Whether every item of the list could be read; only then is a missing integration gone. */
  readonly isWhole: boolean;
}

/** A missing integration counts as removed, unless the list is empty or part of it couldn't be read; then it stays as it was. */
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

/** The most important first. */
function aspectsOf(was: IntegrationState | undefined, now: IntegrationState): string[] {
  if (was === undefined) return ['added'];
  const conditions = JSON.stringify(was.conditions) !== JSON.stringify(now.conditions);
  return [
    ...(was.deleted === now.deleted ? [] : [now.deleted ? 'deleted' : 'restored']),
    ...(was.active === now.active ? [] : [now.active ? 'activated' : 'deactivated']),
    ...(was.primary === now.primary ? [] : [now.primary ? 'made primary' : 'no longer primary']),
    ...(was.provider === now.provider && was.channel === now.channel ? [] : ['provider changed']),
    ...(conditions ? ['conditions changed'] : []),
    ...(was.inboundWebhook === now.inboundWebhook ? [] : [now.inboundWebhook ? 'webhook on' : 'webhook off']),
    ...(was.name === now.name ? [] : [`${RENAMED} from ${was.name}`]),
  ];
}

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

/** Compares only what all events of a workflow share: its name, and the variables declared by its trigger, if both events declare some. */
export function workflowChange(was: Compared, is: Compared): WorkflowChange | null {
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  const isDeclared = was.variables.length > 0 && is.variables.length > 0;
  const aspects = [
    ...(isDeclared && inOrder(was.variables) !== inOrder(is.variables) ? ['variables changed'] : []),
    ...(was.name === is.name ? [] : [RENAMED]),
  ];
  return aspects.length === 0
    ? null
    : { kind: 'workflow', identifier: is.identifier, name: maskedId(is.name), aspects };
}
