import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from '../../domain/logger.ts';
import { logLine } from '../../domain/text/log-line.ts';

/**
 * The logger that Slack's libraries get. At debug level they write whole payloads, what people typed included, so that
 * level is dropped whatever ours is; of the others the first line is kept, scrubbed. Their level and name can't be
 * changed from inside.
 */
export function boltLogger(logger: Logger): SlackLogger {
  return {
    debug: () => {},
    info: (...said) => logger.info(fieldsOf(said), 'The Slack library says'),
    warn: (...said) => logger.warn(fieldsOf(said), 'The Slack library warns'),
    // Anyone who called the library decides what an error comes to, and logs that.
    error: (...said) => logger.warn(fieldsOf(said), 'The Slack library reports an error'),
    setLevel: () => {},
    setName: () => {},
    getLevel: () => LogLevel.INFO,
  };
}

/**
 * An Error goes to our logger as it is, which describes it without its payload; an object that isn't one is left out.
 */
function fieldsOf(said: readonly unknown[]): object {
  const words = said.filter((part) => typeof part === 'string').join(' ');
  const error = said.find((part) => part instanceof Error);
  return { ...(words === '' ? {} : { words: logLine(words) }), ...(error === undefined ? {} : { error }) };
}
