/**
 * Replaces express in the bundle. Bolt loads it for a receiver that Notif doesn't use: 600 kB of code and 6 MB of memory at each start.
 */
export function Router(): never {
  throw new Error("Bolt's ExpressReceiver isn't in the bundle: scripts/build/bundle.ts leaves express out");
}
