import { type MessagePort, parentPort } from 'node:worker_threads';
import type { PictureRequest } from '../domain/charts/picture.ts';
import { layout } from './layout.ts';
import { type Letters, loadLetters } from './letters.ts';
import { paint } from './paint.ts';
import type { PictureAnswer } from './protocol.ts';

/** Serves picture requests in the thread that `createPainter` starts from this file. Loads the fonts for the first picture. */
function serve(port: MessagePort): void {
  let letters: Letters | undefined;
  const draw = ({ chart, words }: PictureRequest): PictureAnswer => {
    try {
      letters ??= loadLetters();
      return { png: paint(layout(chart, words, letters.measure), letters) };
    } catch (error) {
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  port.on('message', (request: PictureRequest) => port.postMessage(draw(request)));
}

if (parentPort === null) throw new Error('Pictures are drawn in a thread of its own, which Notif starts.');
serve(parentPort);
