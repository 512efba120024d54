import { describe, expect, test } from 'vitest';
import { FreeText } from '../lib/text/scrub.ts';
import { isMessageSent, isProviderOrSetup, isSkippedByDesign, isStoppedByFailure } from './verdict.ts';

const says = (detail: string) => ({ detail: new FreeText(detail) });

describe('a sentence of the service', () => {
  test.each([
    'Step was skipped based on steps conditions',
    '  step was skipped based on step conditions. ',
    'STEP WAS FILTERED BASED ON STEPS FILTERS',
    'Bridge execution skipped.',
    'Step was cancelled because a previous step failed',
  ])('says that its step was meant not to be sent: %j', (detail) => {
    expect(isSkippedByDesign(says(detail))).toBe(true);
  });

  test.each([
    'Bridge execution skipped. Why?',
    'The bridge execution skipped',
    'Bridge execution skipped..',
    '',
    'Unexpected provider error',
  ])("doesn't: %j", (detail) => {
    expect(isSkippedByDesign(says(detail))).toBe(false);
  });

  test('says that an earlier step stopped it, which a condition is not', () => {
    expect(isStoppedByFailure(says('Step was canceled because a previous step failed.'))).toBe(true);
    expect(isStoppedByFailure(says('Step was skipped based on steps conditions'))).toBe(false);
  });

  test("says that the provider or the setup failed, or something of the recipient's", () => {
    expect(isProviderOrSetup(says('Unexpected provider error.'))).toBe(true);
    expect(isProviderOrSetup(says('Subscriber does not have an email address'))).toBe(false);
  });

  test.each([
    ['Message sent', true],
    ['Message sent: apns', true],
    ['message sent.', true],
    ['Message sentinel started', false],
    ['The message sent', false],
    ['Message created', false],
  ])('says that the message was sent: %j: %s', (detail, isSent) => {
    expect(isMessageSent(says(detail))).toBe(isSent);
  });
});
