import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startLocalService } from './server.ts';

const USAGE = 'npm run sandbox:service -- [--port N] [--seed N] [--help]';

const Arguments = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(4010),
  seed: z.coerce.number().int().default(1),
  help: z.boolean().default(false),
});

try {
  const options = {
    port: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { help, ...settings } = Arguments.parse(parseArgs({ options }).values);
  if (help) console.log(`Usage: ${USAGE}`);
  else await serve(settings);
} catch (error) {
  const what =
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
  console.error(`The local Notification Service could not start: ${what}. Usage: ${USAGE}`);
  process.exitCode = 1;
}

async function serve(settings: { readonly port: number; readonly seed: number }): Promise<void> {
  const service = await startLocalService({ ...settings, alive: true, history: { hours: 2 }, rateLimits: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close());
  const key = `-H 'Authorization: ApiKey ${service.apiKey}'`;
  console.log(`The local Notification Service listens on ${service.url}. Its API key is ${service.apiKey}.
Look at events:  curl ${key} '${service.url}/v1/notifications?limit=5'
Trigger one:     curl ${key} -H 'Content-Type: application/json' ${service.url}/v1/events/trigger/bulk \\
                   -d '{"events":[{"name":"order-shipped","to":[{"subscriberId":"user-1"}],"payload":{"orderNumber":"A-1"}}]}'
Ctrl-C stops it.`);
}
