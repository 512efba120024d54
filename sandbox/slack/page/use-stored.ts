import { useCallback, useState } from 'react';
import type { z } from 'zod';

/**
 * A value that the browser stores across reloads. A stored value that doesn't match the schema is ignored. If nothing can be stored, the
 * value lasts until the page is closed.
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
