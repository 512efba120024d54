import { statusHeadline } from '../../../health/headline.ts';
import type { EnvironmentStatus, Status } from '../../../health/situation.ts';
import { context, divider, type MessageContent, message, section } from '../../kit/blocks.ts';
import { fitRows } from '../../kit/fit.ts';
import { joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { headlineWords } from '../../kit/words/headline-words.ts';
import { environmentLines, isWrong, worstFirst } from '../../kit/words/reading-lines.ts';
import { statusLines } from '../../kit/words/status-words.ts';

/** The fallback text says the same. */
export function statusMessage(status: Status): MessageContent {
  const environments = status.environments.map(({ environment }) => environment);
  const headline = headlineWords(statusHeadline(status), environments);
  const sorted = worstFirst(status.environments);
  const lines = sorted.map((environment) => environmentLines(environment, status.at));
  const rows = lines.map((some) => [section(joined(some, '\n'))]);
  const foot = [divider(), context(...statusLines(status))];
  const { blocks } = fitRows([section(headline)], rows, foot, (left) => leftWords(sorted.slice(sorted.length - left)));
  return message(joined([headline, ...lines.flat(), ...statusLines(status)], '\n'), blocks);
}

function leftWords(left: readonly EnvironmentStatus[]): Markup {
  const inTrouble = left.filter(({ condition }) => isWrong(condition)).length;
  const words = mrkdwn`${plural(left.length, 'more environment')}`;
  return inTrouble === 0 ? mrkdwn`${words}, all up to date` : mrkdwn`${words}, ${inTrouble} in trouble`;
}
