import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { plantedSecrets } from '../provider-failures.ts';
import { startQuietService } from '../quiet.testing.ts';

const Integrations = z.array(
  z.looseObject({ providerId: z.string(), deleted: z.boolean(), _environmentId: z.string() }),
);

test('the list of integrations has those of every environment, including deleted ones and decrypted credentials', async () => {
  const service = await startQuietService();
  onTestFinished(() => service.close());
  const { status, body } = await service.get('/v1/integrations');
  const integrations = Integrations.parse(body.data);
  expect(status).toBe(200);
  expect(new Set(integrations.map(({ _environmentId }) => _environmentId)).size).toBe(2);
  expect(new Set(integrations.map(({ providerId }) => providerId))).toEqual(
    new Set(['svc', 'sendgrid', 'ses', 'twilio', 'fcm', 'slack']),
  );
  expect(integrations.filter(({ deleted }) => deleted)).toHaveLength(1);
  expect(JSON.stringify(integrations)).toContain(plantedSecrets.authorization);
});
