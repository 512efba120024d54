import { addressField, type ExecutionDetail, type Integration } from './entities.ts';
import type { DetailPlan } from './event-plan.ts';
import { plantedSecrets, providers, wording } from './provider-failures.ts';

/** These are the details that the service records of a delivery attempt, in its wording. Their `raw` differs by channel. */

export const queuedDetail: DetailPlan = { detail: wording.stepQueued, status: 'Pending' };

/** Only this detail says, for every channel but in-app, which provider is used. */
export function selectedDetail({
  providerId,
  ...integration
}: Partial<Integration> & { providerId: string }): DetailPlan {
  const { identifier = `${providerId}-main`, name = identifier, _environmentId, _id } = integration;
  const raw = JSON.stringify({ providerId, identifier, name, _environmentId, _id });
  return { detail: `${providers.get(providerId)?.name ?? providerId} provider was selected`, status: 'Pending', raw };
}

export function selectedProvider(detail: ExecutionDetail | undefined): string | undefined {
  return detail?.detail.endsWith(' provider was selected') ? JSON.parse(detail.raw ?? '{}').providerId : undefined;
}

const email = { subject: 'A notification', content: '', layoutId: '65f0c0ffee65f0c0ffee65f0', contentType: 'editor' };

export function createdDetail(channel: string, providerId: string, payload: object, subscriber?: object): DetailPlan {
  const content: Record<string, string> = {
    email: JSON.stringify({ ...email, payload: { ...payload, subscriber } }),
    push: JSON.stringify({ providerId, content: '""' }),
    chat: 'A notification',
  };
  // In-app messages, which have no address, have no raw.
  const raw = content[channel] ?? (addressField(channel) && JSON.stringify(payload));
  return { detail: wording.messageCreated, status: 'Pending', raw };
}

export function sentDetail(channel: string, providerId: string, address?: string | null): DetailPlan {
  const answer = { id: `prov-${providerId}`, date: '2026-03-10T12:00:00.000Z' };
  const deviceToken = address ?? plantedSecrets.deviceToken;
  const endpoint = { url: address ?? plantedSecrets.webhookUrl };
  const answers: Record<string, object> = {
    push: { providerId, result: answer, deviceToken },
    chat: { ...answer, channelData: { identifier: '-', type: 'webhook', endpoint } },
  };
  const raw = answers[channel] ?? (addressField(channel) && answer);
  return { detail: wording.messageSent, raw: raw ? JSON.stringify(raw) : null };
}

/** The service adds one after the errors of a chat or push step that delivered nothing. */
export const failureSummaries: ReadonlyMap<string, DetailPlan> = new Map([
  ['chat', { detail: wording.allChatFailed, status: 'Failed' }],
  ['push', { detail: wording.pushErrors, status: 'Failed' }],
]);
