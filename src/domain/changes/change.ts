export interface EnvironmentChange {
  readonly id: number;
  readonly environment: string;
  /** When Notif noticed it or somebody reported it; it was made by then. */
  readonly at: Date;
  /** When Notif last looked and it had not been made. Null if `at` is the exact time. */
  readonly after: Date | null;
  readonly what: Changed;
}

export type Changed = IntegrationChange | WorkflowChange | Deploy;

/** Never a credential or an address. */
export interface IntegrationChange {
  readonly kind: 'integration';
  /** With contacts masked. */
  readonly name: string;
  readonly channel: string;
  readonly provider: string;
  readonly aspects: readonly IntegrationAspect[];
  readonly earlierName: string | null;
}

export const INTEGRATION_ASPECTS = [
  'added',
  'removed',
  'deleted',
  'restored',
  'activated',
  'deactivated',
  'made-primary',
  'no-longer-primary',
  'provider-changed',
  'conditions-added',
  'conditions-removed',
  'conditions-changed',
  'webhook-on',
  'webhook-off',
  'renamed',
] as const;
export type IntegrationAspect = (typeof INTEGRATION_ASPECTS)[number];

export interface WorkflowChange {
  readonly kind: 'workflow';
  readonly identifier: string;
  readonly name: string;
  readonly aspects: readonly WorkflowAspect[];
}

export const WORKFLOW_ASPECTS = ['renamed', 'variables-changed'] as const;
export type WorkflowAspect = (typeof WORKFLOW_ASPECTS)[number];

export interface Deploy {
  readonly kind: 'deploy';
  /** Without secrets and contacts. */
  readonly name: string;
  /** The Slack user who reported it; null for a pipeline. */
  readonly by: string | null;
}
