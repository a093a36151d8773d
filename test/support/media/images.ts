import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

import sharp from 'sharp';

/** Generates images for tests. */

interface Size {
  readonly width: number;
  readonly height: number;
}

const small: Size = { width: 30, height: 20 };
const colours = { red: '#c00', green: '#0c0', blue: '#00c' } as const;

function canvas({ width, height }: Size, colour: keyof typeof colours = 'red') {
  return sharp({ create: { width, height, channels: 3, background: colours[colour] } });
}

export async function pngImage(size = small, colour?: keyof typeof colours): Promise<Buffer> {
  return await canvas(size, colour).png().toBuffer();
}

export async function jpegImage(size = small): Promise<Buffer> {
  return await canvas(size).jpeg().toBuffer();
}

/** A PNG that does not compress: at least three bytes per pixel. */
export async function noiseImage({ width, height }: Size): Promise<Buffer> {
  return await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Text in metadata; it must not appear in any stored file. */
export const canary = 'CANARY-7c1f';

/** A photo with a location, an author, a comment and a colour profile in its metadata, rotated by 90 degrees. */
export async function photoWithMetadata(size = small): Promise<Buffer> {
  return await canvas(size)
    .withExif({
      IFD0: { Artist: canary, ImageDescription: canary },
      IFD3: { GPSLatitudeRef: 'N', GPSAreaInformation: canary },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${canary}</rdf:RDF></x:xmpmeta>`)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Files of other types, by name. */
export async function otherFiles(): Promise<Readonly<Record<string, Buffer>>> {
  const image = () => canvas(small);
  return {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'),
    gif: await image().gif().toBuffer(),
    webp: await image().webp().toBuffer(),
    tiff: await image().tiff().toBuffer(),
    avif: await image().avif().toBuffer(),
    heic: Buffer.concat([Buffer.from('000000186674797068656963000000006d69663168656963', 'hex'), Buffer.alloc(500)]),
    bmp: Buffer.concat([Buffer.from('BM'), Buffer.alloc(500)]),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
    text: Buffer.from('not an image'),
    empty: Buffer.alloc(0),
  };
}

/** Adds a chunk after the header of a PNG. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const afterHeader = 33;
  return Buffer.concat([png.subarray(0, afterHeader), pngChunk(type, data), png.subarray(afterHeader)]);
}

/** A PNG of one colour that needs one bit for each pixel: an index of a palette, or black of black and white. */
export function oneBitPng({ width, height }: Size, palette?: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, palette === undefined ? 0 : 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(palette === undefined ? [] : [pngChunk('PLTE', palette)]),
    pngChunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A small file that decompresses to 20,000 × 20,000 pixels. */
export function pngBomb(): Buffer {
  return oneBitPng({ width: 20_000, height: 20_000 });
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
