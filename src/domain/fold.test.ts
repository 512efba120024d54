import { describe, expect, test } from 'vitest';
import { isAmong } from './fold.ts';
import { parseCommandText } from './input/filters.ts';
import { parseNames } from './watches/watch-values.ts';

describe('a name as the service has it', () => {
  const names = [
    'Order – shipped',
    'Order—shipped',
    'Customer’s receipt',
    'Family 👨‍👩‍👧 alert',
    'Zero\u200bwidth',
    'Order\u00a0shipped',
    'ΟΔΟΣ',
    'reçu',
  ];

  test.each(names)('is found by itself in a command, which straightens what phones and Slack change: %j', (name) => {
    const { workflow = [] } = parseCommandText(`workflow:"${name}"`).filters;
    expect(isAmong([name], workflow)).toBe(true);
  });

  test.each([...names, 'Say “hi”'])('is found by itself in the form of a watch: %j', (name) => {
    expect(isAmong([name], parseNames('workflow', [name]))).toBe(true);
  });

  test('is found by what can be typed for it', () => {
    expect(isAmong(['Order – shipped'], ['order - shipped'])).toBe(true);
    expect(isAmong(['Customer’s receipt'], ["CUSTOMER'S RECEIPT"])).toBe(true);
    expect(isAmong(['order-shipped'], ['order shipped'])).toBe(false);
    expect(isAmong(['order_shipped'], ['order-shipped'])).toBe(false);
  });
});
