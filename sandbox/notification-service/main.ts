import { HelpAsked, port, readArguments, seed } from '../read-arguments.ts';
import { startLocalService } from './server.ts';

const usage = 'Usage: npm run sandbox:service -- [--port N] [--seed N] [--help]';

try {
  const { values } = readArguments(
    process.argv.slice(2),
    { port: port.default(4010), seed: seed.default(1) },
    { usage },
  );
  await serve(values);
} catch (error) {
  if (error instanceof HelpAsked) console.log(error.message);
  else {
    console.error(`The local Notification Service could not start: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
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
