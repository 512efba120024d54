import type { Deploy, EnvironmentChange, IntegrationChange, WorkflowChange } from './change.ts';

export function anIntegrationChange(change: Partial<IntegrationChange> = {}): IntegrationChange {
  const integration = { name: 'SendGrid', channel: 'email', provider: 'sendgrid' } as const;
  return { kind: 'integration', ...integration, aspects: ['deactivated'], ...change };
}

export function aWorkflowChange(change: Partial<WorkflowChange> = {}): WorkflowChange {
  const workflow = { identifier: 'order-shipped', name: 'Order shipped' } as const;
  return { kind: 'workflow', ...workflow, aspects: ['variables changed'], ...change };
}

export function aDeploy(change: Partial<Deploy> = {}): Deploy {
  return { kind: 'deploy', name: 'checkout 2.3', actor: 'U0ANN', ...change };
}

export function aChange(change: Partial<EnvironmentChange> = {}): EnvironmentChange {
  const at = new Date('2026-05-04T12:00:00.000Z');
  const notBefore = new Date('2026-05-04T11:58:00.000Z');
  return { id: 1, environment: 'production', at, notBefore, what: anIntegrationChange(), ...change };
}
