import { expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { startBotProcess } from '../support/bot.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

test(
  'two replicas on one PostgreSQL announce a failure once, and one continues when the other dies',
  inWorld({ database: 'server', bot: 'process' }, async ({ ann, service, variables, log, kill }) => {
    const other = await startBotProcess({ variables, log });
    await other.ready();
    const fails = (word: string) =>
      service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
    for (const word of ['ape', 'bee', 'cat']) {
      fails(word);
      await ann.sees(`: ${word}`, ONCALL);
    }
    await log.until('message posted', 3);

    await kill();
    fails('dog');
    await ann.sees(': dog', ONCALL);
    await log.until('message posted', 4);
    expect(ann.messages(ONCALL)).toHaveLength(4);
    await other.stop();
  }),
);
