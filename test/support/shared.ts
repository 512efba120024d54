import { shared } from '../../src/store/store.testing.ts';

/** A file that runs the bot. */
export function bundledBot(): Promise<string> {
  return shared('/bot');
}

/** The address of the browser that the whole run shares. */
export function browserAddress(): Promise<string> {
  return shared('/browser');
}

/** The folder of the sandbox's page as it is built. */
export function builtPage(): Promise<string> {
  return shared('/page');
}
