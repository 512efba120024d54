import { expect, test } from 'vitest';
import { causeOf } from '../src/judging/cause.ts';
import { FreeText } from '../src/lib/text/scrub.ts';
import { maskedAnswer } from '../src/service/raw-event.ts';
import echoes from './errors/echoes.json' with { type: 'json' };

/** The ways in which a provider's sentence reaches a step's details. */
const wrapped = (text: string): readonly string[] => [
  text,
  `Error: ${text}`,
  JSON.stringify({ message: text }),
  JSON.stringify({ error: { code: 'rejected', detail: text } }),
  `HTTPError: ${JSON.stringify({ errors: [{ code: 17, reason: text }] })}`,
  JSON.stringify({ response: JSON.stringify({ message: text }) }),
];

/** All that is made of it: cards, alerts and rows show the cause, the store keeps text and key, View raw the answer. */
async function madeOf(sent: string): Promise<string> {
  const cause = causeOf({ detail: new FreeText('Unexpected provider error'), raw: new FreeText(sent) });
  const told = causeOf({ detail: new FreeText(sent), raw: null });
  const raw = await maskedAnswer({ jobs: [{ executionDetails: [{ detail: sent, raw: sent }] }] });
  return [cause.text, cause.key, told.text, told.key, JSON.stringify(raw)].join('\n').toLowerCase();
}

test.each(echoes.leaks)('a provider’s echo of $kind is masked: $text', async ({ text, hidden }) => {
  for (const sent of wrapped(text)) {
    const made = await madeOf(sent);
    expect(hidden.filter((part) => made.includes(part.toLowerCase()))).toEqual([]);
  }
});

test.each(echoes.keeps)('what somebody on call needs stays: $text', async ({ text, kept }) => {
  for (const sent of [text, JSON.stringify({ message: text })]) {
    const made = await madeOf(sent);
    expect(kept.filter((part) => !made.includes(part.toLowerCase()))).toEqual([]);
  }
});

test.each(echoes.leaks)('what is masked stays as it is when it is masked again: $text', ({ text }) => {
  for (const sent of wrapped(text)) {
    const once = String(new FreeText(sent));
    expect(String(new FreeText(once))).toBe(once);
  }
});
