import { useCallback, useState } from 'react';
import type { z } from 'zod';

/**
 * A value that this browser remembers over a reload. What is stored and is not of the schema counts as not stored; where nothing can be
 * stored, it is remembered until the page goes.
 */
export function useStored<T>(name: string, schema: z.ZodType<T>, initial: T): readonly [T, (next: T) => void] {
  const key = `notif-sandbox ${name}`;
  const [value, setValue] = useState(() => read(key, schema) ?? initial);
  const store = useCallback(
    (next: T) => {
      setValue(next);
      write(key, next);
    },
    [key],
  );
  return [value, store];
}

function read<T>(key: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(window.localStorage.getItem(key) ?? 'null')).data;
  } catch (cause) {
    console.warn('What this browser remembers of the sandbox cannot be read.', cause);
    return undefined;
  }
}

function write(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch (cause) {
    console.warn('This browser does not remember anything of the sandbox.', cause);
  }
}
