import type { IncomingMessage } from 'node:http';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether the browser asked for a local name. A foreign name that points here (DNS rebinding) isn't one. */
export function isForLocalHost(request: IncomingMessage): boolean {
  return LOCAL_NAMES.includes(hostName(request));
}

/** Returns the name that the browser asked for, without its port. */
export function hostName(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '');
}
