/** What sharp does not do with PNG (https://www.w3.org/TR/png-3/): colours without a profile, and exact palettes. */
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** The transfer functions PQ and HLG of ITU-T H.273. */
const hdrTransfers: ReadonlySet<number | undefined> = new Set([16, 18]);
/** sRGB is close to this power, which writers note as 45455. */
const standardGamma = 1 / 2.2;
/** A smaller difference is not visible. */
const tolerance = 0.05;

interface PngColour {
  /** The power that turns the samples into those of sRGB; 1 if they are, or if a profile says what they are. */
  readonly exponent: number;
  readonly isHdr: boolean;
}

export function readPngColour(png: Buffer): PngColour {
  const chunks = new Map(chunksBeforePixels(png));
  const isHdr = hdrTransfers.has(chunks.get('cICP')?.[1]);
  const gamma = chunks.get('gAMA');
  const hasProfile = ['cICP', 'iCCP', 'sRGB'].some((type) => chunks.has(type));
  if (hasProfile || gamma?.length !== 4) return { exponent: 1, isHdr };
  const exponent = standardGamma / (gamma.readUInt32BE() / 100_000);
  const isVisible = Number.isFinite(exponent) && Math.abs(exponent - 1) > tolerance;
  return { exponent: isVisible ? exponent : 1, isHdr };
}

function* chunksBeforePixels(png: Buffer): Iterable<readonly [type: string, data: Buffer]> {
  for (let start = signature.length; start + 8 <= png.length;) {
    const type = png.toString('latin1', start + 4, start + 8);
    if (type === 'IDAT') return;
    const end = start + 8 + png.readUInt32BE(start);
    yield [type, png.subarray(start + 8, end)];
    start = end + 4; // after the checksum
  }
}

/** Encodes pixels of four bytes (red, green, blue, alpha) with a palette. `undefined`: they have more than 256 colours. */
export function encodePalettePng(
  rgba: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Buffer | undefined {
  const palette = findColours(rgba);
  if (palette === undefined) return undefined;
  const depth = [1, 2, 4].find((bits) => palette.length <= 2 ** bits) ?? 8;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, 3], 8); // 3: indexes of a palette
  const translucent = palette.filter((colour) => (colour & 255) < 255);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >>> 24, colour >>> 16, colour >>> 8]))),
    ...(translucent.length === 0 ? [] : [chunk('tRNS', Buffer.from(translucent))]),
    chunk('IDAT', deflateSync(packRows(rgba, { width, height, depth, palette }))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Those that are not opaque come first, because `tRNS` has only theirs. */
function findColours(rgba: Buffer): readonly number[] | undefined {
  const colours = new Set<number>();
  let last: number | undefined;
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = rgba.readUInt32BE(at);
    if (colour === last) continue;
    last = colour;
    colours.add(colour);
    if (colours.size > 256) return undefined;
  }
  return [...colours].toSorted((one, other) => (one & 255) - (other & 255));
}

interface Rows {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly palette: readonly number[];
}

/** Each row begins with the number of its filter: none. */
function packRows(rgba: Buffer, { width, height, depth, palette }: Rows): Buffer {
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  const rowBytes = 1 + Math.ceil((width * depth) / 8);
  const packed = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = indexes.get(rgba.readUInt32BE(4 * (y * width + x))) ?? 0;
      const bit = x * depth;
      const at = y * rowBytes + 1 + (bit >> 3);
      packed[at] = (packed[at] ?? 0) | (index << (8 - depth - (bit & 7)));
    }
  }
  return packed;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
