import { describe, expect, it } from 'vitest';
import { BOT, CHANNELS, PEOPLE } from '../seed.ts';
import { Conversations } from '../state/conversations.ts';
import { escapeMentions } from './escape-mentions.ts';

const workspace = { people: PEOPLE, conversations: new Conversations(CHANNELS, PEOPLE, BOT.userId) };

describe('escapeMentions', () => {
  it('turns names of people and channels into references', () => {
    expect(escapeMentions('ask @ann in #oncall', workspace)).toBe('ask <@U0ANN|ann> in <#C0ONCALL|oncall>');
  });

  it('leaves unknown names and addresses as they were typed', () => {
    expect(escapeMentions('mail x@example.com about #nothing', workspace)).toBe('mail x@example.com about #nothing');
  });
});
