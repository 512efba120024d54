import { compareDesc } from 'date-fns';
import { z } from 'zod';
import { InputError } from '../lib/errors.ts';
import { fold } from '../lib/fold.ts';
import { type Storable, storableTyped } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { fields } from '../service/schema.ts';
import type { ChangeRow } from './tables.ts';

/** A change that can be read. */
export interface EnvironmentChange extends Omit<ChangeRow, 'what'> {
  what: Changed;
}

/** What of it changed, in words: 'deactivated', 'renamed from SES'. */
const aspects = { aspects: z.array(z.string()).readonly() };

export const CHANGED = {
  /** It has no credentials or addresses, and contacts in names are masked. */
  integration: z.object({
    kind: z.literal('integration'),
    ...fields(z.string(), 'name', 'channel', 'provider'),
    /** Older changes have none. */
    identifier: z.string().optional(),
    ...aspects,
  }),
  workflow: z.object({ kind: z.literal('workflow'), ...fields(z.string(), 'identifier', 'name'), ...aspects }),
  deploy: z.object({ kind: z.literal('deploy'), name: z.string(), actor: z.string().nullable().default(null) }),
};
export const Changed = z.discriminatedUnion('kind', [CHANGED.integration, CHANGED.workflow, CHANGED.deploy]);
export type Changed = z.output<typeof Changed>;
export type IntegrationChange = z.output<(typeof CHANGED)['integration']>;
export type Deploy = z.output<(typeof CHANGED)['deploy']>;
export type WorkflowChange = z.output<(typeof CHANGED)['workflow']>;

export const LONGEST_DEPLOY = 200;

export function deployName(typed: string, example: string): Storable {
  if (typed.trim().length > LONGEST_DEPLOY)
    throw new InputError('what', `A deploy's name has at most ${LONGEST_DEPLOY} characters.`, example);
  const name = storableTyped(typed);
  if (name === '') throw new InputError('what', 'What was deployed?', example);
  return name;
}

/** What decides which changes may explain an incident. */
export interface ExplainedIncident {
  environment: string;
  channel: string;
  provider: string | null;
  /** The one that fails; null: several do. */
  workflow: string | null;
  /** By our clock. */
  firstFailureAt: Date;
}

/** What was changed longer before the first failure is likely to have worked. */
export const MAY_EXPLAIN_MS = 30 * MINUTE_MS;
/** A change is noticed when the integrations are next read, which can be after what it broke. */
export const NOTICED_AFTER_MS = 10 * MINUTE_MS;

/** Returns the last change in the service, and the last deploy. */
export function changedBefore(
  changes: readonly EnvironmentChange[],
  incident: ExplainedIncident,
): readonly EnvironmentChange[] {
  const fitting = changes.filter((change) => isShortlyBefore(change, incident) && concerns(change.what, incident));
  fitting.sort((a, b) => compareDesc(a.at, b.at) || b.id - a.id);
  const isDeploy = ({ what }: EnvironmentChange) => what.kind === 'deploy';
  return [fitting.find((change) => !isDeploy(change)), fitting.find(isDeploy)].filter((change) => change !== undefined);
}

function isShortlyBefore({ environment, at, notBefore }: EnvironmentChange, incident: ExplainedIncident): boolean {
  const first = incident.firstFailureAt.getTime();
  const from = (notBefore ?? at).getTime();
  const isNear = from <= first && first - from <= MAY_EXPLAIN_MS && at.getTime() - first <= NOTICED_AFTER_MS;
  return isNear && environment === incident.environment;
}

function concerns(what: Changed, { channel, provider, workflow }: ExplainedIncident): boolean {
  if (what.kind === 'deploy') return true;
  if (what.kind === 'workflow') return workflow === what.identifier;
  return fold(what.channel) === fold(channel) && (provider === null || fold(what.provider) === fold(provider));
}
