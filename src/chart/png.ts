import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOR = 2;
/** Stores each pixel as the difference from the one above it, since most are the same. */
const FILTER_UP = 2;

/** Encodes an image losslessly as a PNG file. `pixels` has red, green and blue of each pixel, row by row. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOR, 0, 0, 0], 8);
  const length = width * 3;
  const rows = Buffer.alloc((length + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (length + 1)] = FILTER_UP;
    for (let x = 0; x < length; x++) {
      const above = y === 0 ? 0 : (pixels[(y - 1) * length + x] ?? 0);
      rows[y * (length + 1) + 1 + x] = (pixels[y * length + x] ?? 0) - above;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
