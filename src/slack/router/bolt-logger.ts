import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from '../../lib/logger.ts';
import { logLine } from '../../lib/text/scrub.ts';

/**
 * At debug level Slack's libraries write whole payloads, including what people typed, so that level is always dropped;
 * of other messages the first line is kept, scrubbed. The libraries can't change the level or the name.
 */
export function boltLogger(logger: Logger): SlackLogger {
  return {
    debug: () => {},
    info: (...said) => logger.info(fieldsOf(said), 'The Slack library says'),
    warn: (...said) => logger.warn(fieldsOf(said), 'The Slack library warns'),
    // The caller of the library decides what an error means, and logs that.
    error: (...said) => logger.warn(fieldsOf(said), 'The Slack library reports an error'),
    setLevel: () => {},
    setName: () => {},
    getLevel: () => LogLevel.INFO,
  };
}

/** Notif's logger describes an Error without its payload; other objects are left out. */
function fieldsOf(said: readonly unknown[]): object {
  const words = said.filter((part) => typeof part === 'string').join(' ');
  const err = said.find((part) => part instanceof Error);
  return { ...(words === '' ? {} : { words: logLine(words) }), ...(err && { err }) };
}
