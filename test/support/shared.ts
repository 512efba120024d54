import { shared } from '../../src/store/store.testing.ts';

/** Returns a file that runs the bot. */
export function bundledBot(): Promise<string> {
  return shared('/bot');
}

/** Returns the address of the browser that the whole run shares. */
export function browserAddress(): Promise<string> {
  return shared('/browser');
}

/** Returns the folder of the sandbox's built page. */
export function builtPage(): Promise<string> {
  return shared('/page');
}
