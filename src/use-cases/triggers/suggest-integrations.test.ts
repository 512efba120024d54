import { expect, test } from 'vitest';
import { anEvent } from '../../domain/service/event.testing.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { suggestIntegrations } from './suggest-integrations.ts';

const OWN = anIntegration({ identifier: 'fcm-own', serviceEnvironmentId: 'own' });
const OTHER = anIntegration({ identifier: 'fcm-other', serviceEnvironmentId: 'other' });

async function suggested(listed: (typeof OWN)[], newest: string | null) {
  const page = <Item>(items: Item[]) => ({ items, unreadable: [], hasMore: false });
  const service = {
    listIntegrations: async () => page(listed),
    listEvents: async () => page(newest === null ? [] : [anEvent({ serviceEnvironmentId: newest })]),
  };
  return (await suggestIntegrations(service, { who: 'person' })).map(({ identifier }) => identifier);
}

test('suggests only the integrations of the chosen environment', async () => {
  expect(await suggested([OWN, OTHER], 'own')).toEqual(['fcm-own']);
  expect(await suggested([OWN, OTHER], 'other')).toEqual(['fcm-other']);
});

test("suggests none if the environment’s own can't be identified", async () => {
  expect(await suggested([OWN, OTHER], null)).toEqual([]);
  expect(await suggested([OWN], null)).toEqual(['fcm-own']);
});
