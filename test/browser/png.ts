import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Three bytes a pixel: what a screenshot of a whole page is made of. */
const BYTES = 3;
const MOST_COLOURS = 256;

/** The same picture in a third of the bytes: a page has few colours, so each pixel names one of 256. */
export function smaller(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  const colourAt = (i: number) => pixels.readUIntBE(i * BYTES, BYTES);
  for (let i = 0; i < width * height; i += 1) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1);
  const kept = chosen(counts);
  const place = new Map([...counts.keys()].map((colour) => [colour, nearest(kept, colour)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) lines[y * (width + 1) + 1 + x] = place.get(colourAt(y * width + x)) as number;
  const colours = Buffer.alloc(kept.length * BYTES);
  kept.forEach((colour, i) => {
    colours.writeUIntBE(colour, i * BYTES, BYTES);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const parts = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** Half of the colours are the commonest; the rest are those that would be missed most: far from all, and not rare. */
function chosen(counts: ReadonlyMap<number, number>): number[] {
  const palette = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  const kept = palette.slice(0, MOST_COLOURS / 2);
  const far = new Map(palette.map((colour) => [colour, distance(colour, kept[nearest(kept, colour)] as number)]));
  while (kept.length < Math.min(MOST_COLOURS, palette.length)) {
    let [most, missed] = [0, -1];
    for (const [colour, away] of far) {
      const loss = away * Math.sqrt(counts.get(colour) as number);
      if (loss > missed) [most, missed] = [colour, loss];
    }
    kept.push(most);
    for (const [colour, away] of far) far.set(colour, Math.min(away, distance(colour, most)));
  }
  return kept;
}

function distance(a: number, b: number): number {
  const [r, g, l] = parts(a);
  const [x, y, z] = parts(b);
  return (x - r) ** 2 + (y - g) ** 2 + (z - l) ** 2;
}

function nearest(kept: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  kept.forEach((one, i) => {
    const away = distance(one, colour);
    if (away < least) [best, least] = [i, away];
  });
  return best;
}

function decoded(png: Buffer): { width: number; height: number; pixels: Buffer } {
  const packed: Buffer[] = [];
  let [width, height] = [0, 0];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const name = png.toString('latin1', at + 4, at + 8);
    if (name === 'IHDR') {
      if (data[8] !== 8 || data[9] !== 2) throw new Error('not a picture of three bytes a pixel');
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
    } else if (name === 'IDAT') packed.push(data);
  }
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(packed)), width * BYTES, height) };
}

/** Each line is kept as what it adds to its neighbours at the left, above, or both. */
function unfiltered(raw: Buffer, line: number, height: number): Buffer {
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x += 1) {
      const at = y * line + x;
      const left = x >= BYTES ? (pixels[at - BYTES] as number) : 0;
      const above = y > 0 ? (pixels[at - line] as number) : 0;
      const corner = x >= BYTES && y > 0 ? (pixels[at - line - BYTES] as number) : 0;
      const added = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter as number] as number;
      pixels[at] = (raw[y * (line + 1) + 1 + x] as number) + added;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
