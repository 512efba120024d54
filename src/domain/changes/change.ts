/** Something that was changed around an environment, and may be why something fails since. */
export interface EnvironmentChange {
  readonly id: number;
  readonly environment: string;
  /** By then it was made: when Notif noticed it, or somebody reported it. */
  readonly at: Date;
  /** Before that it wasn't: the last time that Notif looked. Null where `at` is the moment itself. */
  readonly after: Date | null;
  readonly what: Changed;
}

export type Changed = IntegrationChange | WorkflowChange | Deploy;

/** An integration isn't as it was: what of it, never a credential or an address. */
export interface IntegrationChange {
  readonly kind: 'integration';
  /** Contacts in it are masked. */
  readonly name: string;
  readonly channel: string;
  readonly provider: string;
  readonly aspects: readonly IntegrationAspect[];
  /** Its earlier name; null where that is the same. */
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

/** A workflow isn't as its earlier events showed it. */
export interface WorkflowChange {
  readonly kind: 'workflow';
  readonly identifier: string;
  readonly name: string;
  readonly aspects: readonly WorkflowAspect[];
}

export const WORKFLOW_ASPECTS = ['renamed', 'variables-changed'] as const;
export type WorkflowAspect = (typeof WORKFLOW_ASPECTS)[number];

/** Something was deployed, as somebody or a pipeline reported it. */
export interface Deploy {
  readonly kind: 'deploy';
  /** Without secrets and contacts. */
  readonly name: string;
  /** The Slack user who reported it; null for a pipeline. */
  readonly by: string | null;
}
