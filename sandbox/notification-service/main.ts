import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type LocalService, startLocalService } from './server.ts';

const Arguments = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(4010),
  seed: z.coerce.number().int().default(1),
});

const usage = 'npm run sandbox:service -- [--port N] [--seed N] [--help]';

await main();

async function main(): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(`Usage: ${usage}`);
    return;
  }
  const settings = readArguments();
  if (!settings) return fail(`--port takes 0 to 65535, --seed a whole number. Usage: ${usage}`);
  try {
    const service = await startLocalService({ ...settings, alive: true, history: { hours: 2 }, rateLimits: true });
    stopOnSignals(service);
    introduce(service);
  } catch (error) {
    fail(sentenceFor(error, settings.port));
  }
}

function readArguments(): z.infer<typeof Arguments> | undefined {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, seed: { type: 'string' } } });
    return Arguments.safeParse(values).data;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function introduce({ url, apiKey, world }: LocalService): void {
  const key = `-H 'Authorization: ApiKey ${apiKey}'`;
  const json = `-H 'Content-Type: application/json'`;
  console.log(`The local Notification Service listens on ${url}, with ${world.events.size} events of the last two hours.
Its API key is ${apiKey}. A provider fails in 20 to 40 seconds, and again every 12 minutes.

Look at events:     curl ${key} '${url}/v1/notifications?limit=5'
Trigger one:        curl ${key} ${json} ${url}/v1/events/trigger/bulk \\
                      -d '{"events":[{"name":"order-shipped","to":[{"subscriberId":"user-1"}],"payload":{"orderNumber":"A-1"}}]}'

Ctrl-C stops it.`);
}

function stopOnSignals(service: LocalService): void {
  const stop = () => void service.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function sentenceFor(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop what listens there, or choose another: ${usage}`;
  if (code === 'EACCES') return `Port ${port} may not be used without more rights. Choose one above 1023: ${usage}`;
  return `The local Notification Service could not start: ${error instanceof Error ? error.message : String(error)}`;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
