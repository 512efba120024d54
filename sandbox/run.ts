import { BotError, lastLines } from './bot.ts';
import { closeOnSignal } from './close-on-signal.ts';
import { SCENARIOS } from './director/scenarios.ts';
import { describeScenarios } from './director/send-order.ts';
import { ArgumentsError, HelpAsked } from './read-arguments.ts';
import { type RunArguments, readRunArguments } from './run-arguments.ts';
import { startSandbox, welcome } from './start-sandbox.ts';
import { NoFreePortError } from './this-machine.ts';

const closing = closeOnSignal(process);
try {
  const wanted = readRunArguments(process.argv.slice(2));
  if (wanted.list) console.log(describeScenarios(SCENARIOS));
  else await run(wanted);
} catch (error) {
  if (error instanceof HelpAsked) console.log(error.message);
  // During a stop, errors of what was being started are expected.
  else if (!closing.begun) await fail(error);
}

async function run(wanted: RunArguments): Promise<void> {
  console.log('Starting the local Slack, two local Notification Services and the bot …');
  const sandbox = await startSandbox(wanted, closing);
  console.log(welcome({ ...sandbox, opening: wanted.opening }));
  const how = await sandbox.bot.ended;
  if (!closing.begun) throw new BotError(`The bot stopped: ${how}.`, sandbox.logFile);
}

/** Prints what went wrong, in a sentence if it is an expected error, and stops everything else. */
async function fail(error: unknown): Promise<void> {
  if (error instanceof ArgumentsError || error instanceof NoFreePortError) console.error(error.message);
  else if (error instanceof BotError)
    console.error(`${error.message} The end of its log, ${error.logFile}:\n\n${await lastLines(error.logFile, 15)}`);
  else console.error('The sandbox could not start.', error);
  await closing.close();
  process.exit(1);
}
