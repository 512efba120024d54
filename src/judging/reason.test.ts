import { describe, expect, test } from 'vitest';
import cases from './reason.cases.json' with { type: 'json' };
import { reasonIn, saysNothing } from './reason.ts';

const reasonOf = (response: unknown) => reasonIn(typeof response === 'string' ? response : JSON.stringify(response));

describe('a sentence', () => {
  test.each(['', ' Bad Request! ', 'Unexpected provider error.', '404 Not Found', 'hard bounce', '[object Object]'])(
    'says nothing: %j',
    (sentence) => {
      expect(saysNothing(sentence)).toBe(true);
    },
  );

  test.each(['Bad request: no recipient', 'Bad Request..', 'Mailbox full'])('says something: %j', (sentence) => {
    expect(saysNothing(sentence)).toBe(false);
  });
});

describe("a response's reason", () => {
  test.each(cases.sentences)('is the sentence of %s', (...[, response, sentence]) => {
    expect(reasonOf(response).sentence).toBe(sentence);
  });

  test.each(cases.codes)('has the code of %s', (...[, response, code]) => {
    expect(reasonOf(response).code).toBe(code);
  });
});
