import type { Job, TriggeredEvent } from '../service/event.ts';

/** Push providers that serve one platform. */
const PLATFORMS: Readonly<Record<string, string>> = { apns: 'ios' };

/** An event, as far as it says whom it is for. */
type Recipient = Pick<TriggeredEvent, 'subscriber'>;

/** Where an attempt reaches its recipient: the domain of their email address, or the platform of their phone, if its provider says it. */
export function domainOf({ subscriber }: Recipient, channel: string, provider: string | null): string | null {
  if (channel === 'push') return PLATFORMS[provider ?? ''] ?? null;
  if (channel !== 'email') return null;
  const [, domain] = /@([a-z\d-]+(?:\.[a-z\d-]+)+)$/.exec(subscriber?.maskedEmail?.trim().toLowerCase() ?? '') ?? [];
  return domain ?? null;
}

export const isMailDomain = (domain: string | null): domain is string => domain?.includes('.') ?? false;

export const domainsOf = (event: Recipient & { jobs: readonly Pick<Job, 'type' | 'provider'>[] }): string[] => [
  ...new Set(event.jobs.flatMap(({ type, provider }) => domainOf(event, type, provider) ?? [])),
];
