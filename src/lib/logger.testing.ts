import type { Logger } from './logger.ts';

export const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface LogLine {
  level: keyof Logger;
  sentence: string;
  fields: object;
}

interface Heard {
  logger: Logger;
  log: LogLine[];
  sentences(): string[];
  /** Each with its fields as JSON. */
  lines(): string[];
}

export function heard(): Heard {
  const log: LogLine[] = [];
  const at = (level: keyof Logger) => (fields: object, sentence: string) => void log.push({ level, sentence, fields });
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return {
    logger,
    log,
    sentences: () => log.map(({ sentence }) => sentence),
    lines: () => log.map(({ sentence, fields }) => `${sentence} ${JSON.stringify(fields)}`),
  };
}
