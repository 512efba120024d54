import { expect, test } from 'vitest';
import { startSlack } from './slack/local-slack.testing.ts';
import { changesIn } from './transcript.ts';

test('a transcript says what came, changed and went, and who sees it', async () => {
  const slack = await startSlack({ now: () => Date.parse('2026-03-10T12:00:00Z') });
  const ann = slack.workspace.as('U0ANN');
  await ann.types('C0ONCALL', 'hello');
  const [message] = ann.sees('C0ONCALL');
  await slack.close();
  if (message === undefined) throw new Error('nothing was posted');
  const me = { id: 'U0ANN', name: 'ann', isBot: false, standing: 'member' as const, timeZone: 'UTC' };
  const looking = { me, people: [me] };
  expect(changesIn(new Map(), [message], looking)).toEqual(['12:00:00 ann', '    hello']);
  expect(changesIn(new Map([[message.ts, 'hello']]), [message], looking)).toEqual([]);
  const edited = { ...message, text: 'hello again', onlyVisibleTo: 'U0ANN' };
  expect(changesIn(new Map([[message.ts, 'hello']]), [edited], looking)).toEqual([
    '12:00:00 ann (changed, only ann sees it)',
    '    hello again',
  ]);
  expect(changesIn(new Map([[message.ts, 'hello']]), [], looking)).toEqual(['The message of 12:00:00 is gone']);
});
