import { type MessagePort, parentPort } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import { type Answered, failureOf, type Panicked, type SentRequest } from './protocol.ts';

/** Serves the embedded database's requests in its thread. `startThread` runs this file. */
function serve(port: MessagePort): void {
  const engine = createEngine((reason) => {
    const panicked: Panicked = { panic: reason };
    port.postMessage(panicked);
  });

  async function answered({ id, request }: SentRequest): Promise<Answered> {
    try {
      return { id, answer: await engine(request) };
    } catch (error) {
      return { id, failure: failureOf(error) };
    }
  }

  port.on('message', async (asked: SentRequest) => port.postMessage(await answered(asked)));
}

if (parentPort === null) throw new Error('The embedded database runs in a thread of its own, which Notif starts.');
serve(parentPort);
