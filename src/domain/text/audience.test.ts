import { expect, test } from 'vitest';
import { type Audience, type Content, forAudience, isShownTo } from './audience.ts';

const AUDIENCES: readonly Audience[] = ['requester', 'operators', 'everyone'];

test.each<[Content, readonly Audience[]]>([
  ['credential', []],
  ['contact', []],
  ['id that is a contact', ['requester']],
  ['subject', ['requester']],
  ['payload', ['requester']],
  ['raw answer', ['requester']],
  ['who changed what', ['requester', 'operators']],
  ['cause', AUDIENCES],
  ['fact', AUDIENCES],
])('%s is for %j', (content, shownTo) => {
  for (const audience of AUDIENCES) {
    expect(isShownTo(audience, content)).toBe(shownTo.includes(audience));
    expect(forAudience(audience, content, 'it')).toBe(shownTo.includes(audience) ? 'it' : null);
  }
});
