import { parentPort } from 'node:worker_threads';
import { createEngine } from './engine.ts';

const port = parentPort;
if (port === null) throw new Error('The embedded database runs in a thread of its own, which Notif starts.');
port.on(
  'message',
  createEngine((message) => port.postMessage(message)),
);
