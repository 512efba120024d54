import { describe, expect, test } from 'vitest';
import { BotLog } from './bot-log.ts';

const line = (level: string, msg: string, fields: object = {}) => `${JSON.stringify({ level, msg, ...fields })}\n`;

describe("the bot's log in tests", () => {
  test('joins lines that arrive in pieces', () => {
    const log = new BotLog();
    const text = line('info', 'Connected', { port: 1 });
    log.write(text.slice(0, 9));
    log.write(text.slice(9));
    expect(log.saying('Connected')).toEqual([{ level: 'info', msg: 'Connected', port: 1 }]);
  });

  test('reports unexpected errors', () => {
    const log = new BotLog();
    log.expects(/is locked/);
    log.write(line('error', 'The folder is locked') + line('error', 'Nobody knows'));
    expect(log.surprises([])).toEqual([line('error', 'Nobody knows').trimEnd()]);
  });

  test("reports output that isn't a log line", () => {
    const log = new BotLog();
    log.write('TypeError: x is not a function\n    at y');
    expect(log.surprises([])).toEqual(['TypeError: x is not a function', '    at y']);
  });

  test('reports a secret even in an expected error', () => {
    const log = new BotLog();
    log.expects(/.*/);
    log.write(line('error', 'Refused', { key: 'planted' }));
    expect(log.surprises(['planted'])).toHaveLength(1);
  });
});
