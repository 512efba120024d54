import type { IncidentNow } from '../../incidents/incident.ts';
import { fold } from '../fold.ts';
import type { Integration } from '../service/integration.ts';
import type { TimeRange } from '../time/time-range.ts';

/** How a channel and provider delivered in the last five checked minutes, over all of its integrations. */
export interface ProviderNow {
  readonly channel: string;
  /** Null if the failures name none. */
  readonly provider: string | null;
  readonly window: TimeRange;
  readonly failures: number;
  /** Steps that failed or were delivered. */
  readonly attempts: number;
  /** The open incidents there, failing ones first. */
  readonly incidents: readonly IncidentNow[];
}

/** Returns, of providers with failures, an integration's own; null if it had no failures, or it is inactive. */
export function providerOf(
  { channel, provider, active, deleted }: Pick<Integration, 'channel' | 'provider' | 'active' | 'deleted'>,
  failing: readonly ProviderNow[],
): ProviderNow | null {
  if (!active || deleted) return null;
  const isOf = (one: ProviderNow) =>
    fold(one.channel) === fold(channel) && one.provider !== null && fold(one.provider) === fold(provider);
  return failing.find(isOf) ?? null;
}

/** The least share of failed attempts that marks a provider as failing; one that refuses one recipient in a hundred works. */
const FAILING_SHARE = 0.1;

export function isFailing({ failures, attempts }: Pick<ProviderNow, 'failures' | 'attempts'>): boolean {
  return failures >= attempts * FAILING_SHARE;
}
