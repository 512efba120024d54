import type { Hands } from '../slack/workspace/hands.ts';
import { wordsOf } from '../slack/workspace/words.ts';
import type { Workspace } from '../slack/workspace/workspace.ts';
import type { Fault, PersonsAct } from './scenario.ts';

type Acts = Extract<Fault, { kind: 'person' }>;

/** Performs a person's acts in Slack, one after another. Never rejects: a failing act is reported and ends the series. */
export async function actAs({ person, does }: Acts, workspace: Workspace): Promise<void> {
  const hands = workspace.as(person);
  try {
    for (const act of does) await perform(act, hands, workspace);
  } catch (error) {
    console.error(`${person} could not do what the scenario says.`, error);
  }
}

async function perform(act: PersonsAct, hands: Hands, workspace: Workspace): Promise<void> {
  switch (act.do) {
    case 'types':
      await hands.types(act.channel, act.line);
      return;
    case 'clicks': {
      const spoken = hands.sees(act.channel).findLast((message) => wordsOf(message).includes(act.message));
      if (spoken === undefined) throw new Error(`no message says "${act.message}"`);
      await hands.clicks({ channel: act.channel, ts: spoken.ts }, { text: act.label });
      return;
    }
    case 'submits': {
      const { id } = await workspace.until(() => hands.view(), { what: 'an open modal' });
      await hands.fillsIn(id, act.answers);
      await hands.submits(id);
    }
  }
}
