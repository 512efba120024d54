import { readDirectArguments } from './direct-arguments.ts';
import { describeScenarios, sendOrder } from './director/send-order.ts';
import { ArgumentsError, HelpAsked } from './read-arguments.ts';

try {
  const { port, order } = readDirectArguments(process.argv.slice(2));
  const answer = await sendOrder(port, order);
  if (answer.ok) console.log(describeScenarios(answer.scenarios));
  else fail(answer.message);
} catch (error) {
  if (error instanceof HelpAsked) console.log(error.message);
  else if (error instanceof ArgumentsError) fail(error.message);
  else throw error;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
