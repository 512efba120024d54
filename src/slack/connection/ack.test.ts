import { beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../domain/logger.ts';
import { Ack } from './ack.ts';
import type { SlackDelivery } from './delivery.ts';

let sent: [id: string, response: unknown][];
let logged: string[];
let given: number;

beforeEach(() => {
  sent = [];
  logged = [];
  given = 0;
});

function delivery(id: string, acknowledge?: SlackDelivery['acknowledge']): SlackDelivery {
  const record = async (response: unknown): Promise<void> => void sent.push([id, response]);
  return {
    id,
    type: 'interactive',
    body: {},
    retryNum: undefined,
    retryReason: undefined,
    acknowledge: acknowledge ?? record,
    abandon: () => sent.push([id, 'abandoned']),
  };
}

function acknowledging(first: SlackDelivery): Ack {
  const note = (_fields: object, sentence: string): void => void logged.push(sentence);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  return new Ack(first, logger, () => {
    given += 1;
  });
}

describe('Ack', () => {
  test('gives a repeat the response of the first delivery, whichever comes first', async () => {
    const ack = acknowledging(delivery('first'));
    await ack.repeat(delivery('early'));
    expect(sent).toEqual([]);
    await ack.give({ response_action: 'errors' });
    await ack.repeat(delivery('late'));
    expect(sent.map(([id]) => id)).toEqual(['first', 'early', 'late']);
    expect(new Set(sent.map(([, response]) => JSON.stringify(response))).size).toBe(1);
    expect(given).toBe(1);
  });

  test('keeps the first response', async () => {
    const ack = acknowledging(delivery('first'));
    await ack.give('one');
    await ack.give('two');
    expect(sent).toEqual([['first', 'one']]);
    expect(logged).toEqual(['A listener acknowledged what had been acknowledged; Slack has the first response']);
  });

  test('lets the listener continue when the socket has closed meanwhile', async () => {
    const ack = acknowledging(delivery('first', () => Promise.reject(new Error('not connected'))));
    await expect(ack.give()).resolves.toBeUndefined();
    expect(logged).toEqual(['An acknowledgment could not be sent']);
  });
});
