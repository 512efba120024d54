import type { Logger } from '../domain/logger.ts';
import { silent } from '../store/store.testing.ts';
import type { BackgroundJob } from './job.ts';

export function listening(): { sentences: string[]; logger: Logger } {
  const sentences: string[] = [];
  const note = (_fields: object, sentence: string): void => void sentences.push(sentence);
  return { sentences, logger: { ...silent, warn: note, error: note, info: note } };
}

export function job(run: BackgroundJob['run'], changes: Partial<BackgroundJob> = {}): BackgroundJob {
  return { name: 'count', environment: null, everySeconds: 3600, timeoutSeconds: 60, run, ...changes };
}

export function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
