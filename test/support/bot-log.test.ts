import { describe, expect, it } from 'vitest';
import { BotLog } from './bot-log.ts';

const line = (level: string, msg: string, fields: object = {}) => `${JSON.stringify({ level, msg, ...fields })}\n`;

describe('the log of a journey', () => {
  it('reads lines however they are cut', () => {
    const log = new BotLog();
    const text = line('info', 'Connected', { port: 1 });
    log.write(text.slice(0, 9));
    log.write(text.slice(9));
    expect(log.saying('Connected')).toEqual([{ level: 'info', msg: 'Connected', port: 1 }]);
  });

  it('is surprised by errors that nobody expects', () => {
    const log = new BotLog();
    log.expects(/is locked/);
    log.write(line('error', 'The folder is locked') + line('error', 'Nobody knows'));
    expect(log.surprises([])).toEqual([line('error', 'Nobody knows').trimEnd()]);
  });

  it('is surprised by what is not a line of the log', () => {
    const log = new BotLog();
    log.write('TypeError: x is not a function\n    at y');
    expect(log.surprises([])).toEqual(['TypeError: x is not a function', '    at y']);
  });

  it('is surprised by a secret even where the error is expected', () => {
    const log = new BotLog();
    log.expects(/.*/);
    log.write(line('error', 'Refused', { key: 'planted' }));
    expect(log.surprises(['planted'])).toHaveLength(1);
  });
});
