/** Replaces express in the bundle, which Bolt loads for a receiver that Notif doesn't use. */
export function Router(): never {
  throw new Error("Bolt's ExpressReceiver isn't in the bundle: scripts/build/bundle.ts leaves express out");
}
