import { fold } from '../fold.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { Integration } from '../service/integration.ts';
import type { TimeRange } from '../time/time-range.ts';

/** How the sending of a channel and provider did in the last five minutes that were checked, over all integrations of it. */
export interface ProviderNow {
  readonly channel: string;
  /** Null where failures name none. */
  readonly provider: string | null;
  readonly window: TimeRange;
  readonly failures: number;
  /** Steps that failed or were delivered. */
  readonly attempts: number;
  /** The open incidents there, what fails first. */
  readonly incidents: readonly IncidentNow[];
}

/** Of providers with failures, the one that an integration sends by; null where nothing of it has failed, or it sends nothing. */
export function providerOf(
  { channel, provider, active, deleted }: Pick<Integration, 'channel' | 'provider' | 'active' | 'deleted'>,
  failing: readonly ProviderNow[],
): ProviderNow | null {
  if (!active || deleted) return null;
  const isOf = (one: ProviderNow) =>
    fold(one.channel) === fold(channel) && one.provider !== null && fold(one.provider) === fold(provider);
  return failing.find(isOf) ?? null;
}

/** A provider that refuses one recipient in a hundred works: it is marked as failing from this share of its attempts on. */
const FAILING_SHARE = 0.1;

export function isFailing({ failures, attempts }: Pick<ProviderNow, 'failures' | 'attempts'>): boolean {
  return failures >= attempts * FAILING_SHARE;
}
