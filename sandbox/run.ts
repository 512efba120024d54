import { type Options, readOptions } from './arguments.ts';
import { botError } from './bot.ts';
import { startLocalService } from './service/server.ts';
import { type Closing, type Sandbox, startSandbox } from './start-sandbox.ts';
import { findFreePort, UserError } from './this-machine.ts';
import { printTranscript } from './transcript.ts';

const running: Closing[] = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(130);
    console.log('Stopping … (Ctrl-C again to stop at once)');
    void stop(0);
  });
}

const [command, ...argv] = process.argv.slice(2);
try {
  if (command === 'service') await serve(readOptions('service', argv));
  else if (command === 'transcript') await printTranscript(readOptions('transcript', argv));
  else await run(readOptions('sandbox', process.argv.slice(2)));
} catch (error) {
  if (!isStopping) await fail(error);
}

async function run(options: Options<'sandbox'>): Promise<void> {
  console.log('Starting the local Slack, two local Notification Services and the bot …');
  const sandbox = await startSandbox(options, (part) => void running.push(part));
  console.log(welcome(sandbox, options));
  const how = await sandbox.bot.ended;
  if (!isStopping) throw await botError(`The bot stopped: ${how}.`, sandbox.logFile);
}

function welcome({ pageUrl, environments, newestEventId, logFile }: Sandbox, { scenario }: Options<'sandbox'>): string {
  const begins = scenario === undefined ? 'In 25 seconds a provider fails' : `Now the scenario '${scenario}' begins`;
  return `
Sandbox is running. Open ${pageUrl}

In #oncall, try:
  /notif help
  /notif event ${newestEventId}
  /notif trigger order-shipped
All is calm. ${begins}: watch the alert arrive in #oncall, and its counts update.
You act as ann, an operator. ben (“Act as”) isn't an operator, so he can't send tests or change credentials.
Next to the conversation are things to try, and the scenarios to play.

Notification Services: ${environments.map(({ name, url }) => `${name} ${url}`).join(', ')} (key: sandbox-key)
The bot's log: ${logFile}
Ctrl-C stops everything.
`;
}

async function serve({ port, seed }: Options<'service'>): Promise<void> {
  const service = await startLocalService({ port: await findFreePort(port), seed, alive: true, history: 2 });
  running.push(service);
  const key = `-H 'Authorization: ApiKey ${service.apiKey}'`;
  console.log(`The local Notification Service listens on ${service.url}. Its API key is ${service.apiKey}.
Look at events:  curl ${key} '${service.url}/v1/notifications?limit=5'
Trigger one:     curl ${key} -H 'Content-Type: application/json' ${service.url}/v1/events/trigger/bulk \\
                   -d '{"events":[{"name":"order-shipped","to":[{"subscriberId":"user-1"}],"payload":{"orderNumber":"A-1"}}]}'
Ctrl-C stops it.`);
}

async function stop(code: number): Promise<void> {
  isStopping = true;
  try {
    for (const part of running.toReversed()) await part.close();
  } catch (error) {
    console.error('The sandbox did not stop cleanly.', error);
    process.exit(1);
  }
  process.exit(code);
}

async function fail(error: unknown): Promise<void> {
  const isExpected = error instanceof UserError;
  if (isExpected && error.exitCode === 0) console.log(error.message);
  else if (isExpected) console.error(error.message);
  else console.error('The sandbox could not start.', error);
  await stop(isExpected ? error.exitCode : 1);
}
