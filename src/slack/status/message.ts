import { statusHeadline } from '../../domain/health/headline.ts';
import type { EnvironmentStatus, Status } from '../../domain/health/status.ts';
import { context, divider, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitRows } from '../blocks/fit.ts';
import { joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { headlineWords } from '../blocks/words/headline-words.ts';
import { environmentLines, isWrong, worstFirst } from '../blocks/words/reading-lines.ts';
import { statusLines } from '../blocks/words/status-words.ts';

/** The fallback text says the same. */
export function statusMessage(status: Status): MessageContent {
  const head = section(headline(status));
  const sorted = worstFirst(status.environments);
  const rows = sorted.map((one) => [section(joined(environmentLines(one, status.at), '\n'))]);
  const foot = [divider(), context(...statusLines(status))];
  const { blocks } = fitRows([head], rows, foot, (left) => leftWords(sorted.slice(sorted.length - left)));
  return message(fallbackText(status), blocks);
}

function leftWords(left: readonly EnvironmentStatus[]): Markup {
  const inTrouble = left.filter(({ condition }) => isWrong(condition)).length;
  const words = mrkdwn`${plural(left.length, 'more environment')}`;
  return inTrouble === 0 ? mrkdwn`${words}, all up to date` : mrkdwn`${words}, ${inTrouble} in trouble`;
}

function headline(status: Status): Markup {
  return headlineWords(
    statusHeadline(status),
    status.environments.map(({ environment }) => environment),
  );
}

function fallbackText(status: Status): Markup {
  const lines = worstFirst(status.environments).flatMap((one) => environmentLines(one, status.at));
  return joined([headline(status), ...lines, ...statusLines(status)], '\n');
}
