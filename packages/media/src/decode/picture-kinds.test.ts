import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { jpegImage, oneBitPng, otherFiles, pngBomb, pngImage, withPngChunk } from '@linnet/test/media/images';
import { createDecoder } from './decoder.ts';
import type { Decoder } from './decoder.ts';

const timeout = 60_000;
let directory: string;
let decoder: Decoder;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-kinds-'));
  decoder = createDecoder({ dataDir: directory, jobFiles: join(directory, '*') });
});
afterAll(async () => {
  await decoder[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Decodes a file and returns its full rendition. @throws ImageRefused */
async function store(file: Buffer): Promise<Buffer> {
  const inJob = (name: string) => join(directory, name);
  await writeFile(inJob('source'), file);
  const outputs = { full: inJob('full'), display: inJob('display'), thumb: inJob('thumb') };
  await decoder.decode({ source: inJob('source'), outputs });
  return await readFile(outputs.full);
}

const width = 320;
const height = 600;
type Draw = (x: number, y: number) => number;

/** A picture that does not compress to nothing, so that cutting a file removes rows. */
const photo: Draw = (x, y) =>
  128 + 100 * Math.sin(x / 9 + y / 17) + (Math.imul(x * 7919 + y * y, 2_654_435_761) >>> 29);
const grey128: Draw = () => 128;
const drawing: Draw = (x, y) => (((x >> 5) + (y >> 5)) % 2 === 0 ? 16 * (x & 15) : 255);

function picture(draw: Draw): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = draw(Math.floor(at / 3) % width, Math.floor(at / 3 / width));
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const photoJpeg = async () => await picture(photo).jpeg().toBuffer();
const photoPng = async () => await picture(photo).png().toBuffer();

/** The header says that the scan has no coefficients. */
async function wrongScanHeader(): Promise<Buffer> {
  const file = await photoJpeg();
  const scan = file.indexOf(Buffer.of(0xff, 0xda));
  file.set([0, 0, 0], scan + 11);
  return file;
}

/** sharp writes no JFIF header. */
async function jfif(major: number): Promise<Buffer> {
  const header = Buffer.from('ffe000104a46494600010100004800480000', 'hex');
  header[9] = major;
  const file = await photoJpeg();
  return Buffer.concat([file.subarray(0, 2), header, file.subarray(2)]);
}

async function bytesBeforeMarker(): Promise<Buffer> {
  const file = await photoJpeg();
  const tables = file.indexOf(Buffer.of(0xff, 0xc4));
  return Buffer.concat([file.subarray(0, tables), Buffer.of(1, 2, 3), file.subarray(tables)]);
}

async function cut(file: Promise<Buffer>, part: number): Promise<Buffer> {
  const whole = await file;
  return whole.subarray(0, Math.floor(whole.length * part));
}

function gamma(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(value);
  return data;
}

const greyPng = async () => await picture(grey128).png().toBuffer();
const palette = Buffer.from('cc0000ffffff', 'hex');

/** The first pixel that is stored: its red. */
async function firstRed(file: Buffer): Promise<number | undefined> {
  const [red] = await sharp(file).toColourspace('srgb').raw().toBuffer();
  return red;
}

describe('accepted', { timeout }, () => {
  test.each<[kind: string, create: () => Promise<Buffer>]>([
    ['a JPEG with a wrong scan header', wrongScanHeader],
    ['a JPEG with bytes before a marker', bytesBeforeMarker],
    ['a JPEG of JFIF 2.1', async () => await jfif(2)],
    ['a JPEG without its last row', async () => await cut(photoJpeg(), 0.99)],
    ['a JPEG without its last twentieth', async () => await cut(photoJpeg(), 0.95)],
    ['a PNG without its last hundredth', async () => await cut(photoPng(), 0.99)],
    ['a PNG without its end', async () => (await photoPng()).subarray(0, -12)],
    ['a progressive JPEG', async () => await picture(photo).jpeg({ progressive: true }).toBuffer()],
    ['an interlaced PNG', async () => await picture(photo).png({ progressive: true }).toBuffer()],
    ['a JPEG that a second one follows', async () => Buffer.concat([await photoJpeg(), await jpegImage()])],
  ])('%s looks as it should', async (_kind, create) => {
    const stored = await store(await create());
    const pixels = await sharp(stored).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(pixels.info).toMatchObject({ width, height, channels: 3 });
    const expected = await picture(photo).raw().toBuffer();
    const seen = Math.floor(0.9 * expected.length);
    let difference = 0;
    for (let at = 0; at < seen; at += 1) difference += Math.abs((pixels.data[at] ?? 0) - (expected[at] ?? 0));
    expect(difference / seen).toBeLessThan(4);
  });

  test.each([
    ['linear samples', 'gAMA', gamma(100_000), 186],
    ['samples of old Macintoshes', 'gAMA', gamma(55_556), 145],
    ['dark samples', 'gAMA', gamma(30_000), 90],
    ['samples of sRGB', 'gAMA', gamma(45_455), 128],
    ['no gamma at all', 'gAMA', gamma(0), 128],
    ['a broken gamma', 'gAMA', Buffer.of(1), 128],
  ])('a PNG with %s', async (_kind, type, data, expected) => {
    for (const file of [await greyPng(), await picture(grey128).greyscale().png({ palette: true }).toBuffer()]) {
      const found = await firstRed(await store(withPngChunk(file, type, data)));
      expect(Math.abs((found ?? 0) - expected)).toBeLessThan(3);
    }
  });

  test.each([
    ['sRGB', 'sRGB', Buffer.of(0)],
    ['cICP', 'cICP', Buffer.of(1, 13, 0, 1)],
  ])('a profile (%s) counts more than the gamma of a PNG', async (_kind, type, data) => {
    const file = withPngChunk(withPngChunk(await greyPng(), 'gAMA', gamma(100_000)), type, data);
    expect(await firstRed(await store(file))).toBe(128);
  });
});

describe('stored PNGs are not larger', { timeout }, () => {
  test.each<[kind: string, create: () => Promise<Buffer>]>([
    ['two colours', async () => oneBitPng({ width: 800, height: 600 }, palette)],
    ['black and white', async () => oneBitPng({ width: 800, height: 600 })],
    ['a palette', async () => await picture(drawing).png({ palette: true, dither: 0 }).toBuffer()],
    [
      'a palette with transparency',
      async () => await picture(drawing).ensureAlpha(0.5).png({ palette: true, dither: 0 }).toBuffer(),
    ],
    ['grey', async () => await picture(photo).greyscale().toColourspace('b-w').png().toBuffer()],
    ['a drawing', async () => await picture(drawing).png().toBuffer()],
    [
      'a gradient',
      async () =>
        await picture((x, y) => (x + y) / 4)
          .png({ adaptiveFiltering: true })
          .toBuffer(),
    ],
  ])('%s', async (_kind, create) => {
    const file = await create();
    const stored = await store(file);
    expect(stored.length).toBeLessThan(1.15 * file.length + 100);
    const pixels = async (png: Buffer) => await sharp(png).toColourspace('srgb').ensureAlpha().raw().toBuffer();
    expect((await pixels(stored)).equals(await pixels(file))).toBe(true);
  });
});

describe('refused', { timeout }, () => {
  const files = otherFiles();
  const other = async (name: string) => (await files)[name] ?? Buffer.alloc(0);
  const withCicp = async (transfer: number) => withPngChunk(await pngImage(), 'cICP', Buffer.of(9, transfer, 0, 1));

  test.each<[kind: string, problem: string, create: () => Promise<Buffer>]>([
    ['HEIC', 'heic', async () => await other('heic')],
    ['HEIC of another brand', 'heic', async () => Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1heic')],
    ['AVIF', 'avif', async () => await other('avif')],
    ['WebP', 'webp', async () => await other('webp')],
    ['GIF', 'gif', async () => await other('gif')],
    ['TIFF', 'other', async () => await other('tiff')],
    ['SVG', 'other', async () => await other('svg')],
    ['a film', 'other', async () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42')],
    ['nothing', 'other', async () => Buffer.alloc(0)],
    ['400 megapixels', 'too-many-pixels', async () => pngBomb()],
    ['PQ', 'hdr', async () => await withCicp(16)],
    ['HLG', 'hdr', async () => await withCicp(18)],
    ['a JPEG without its last fifth', 'damaged', async () => await cut(photoJpeg(), 0.8)],
    ['a PNG without its last fifth', 'damaged', async () => await cut(photoPng(), 0.8)],
    ['only the beginning of a JPEG', 'damaged', async () => (await photoJpeg()).subarray(0, 100)],
    ['only the signature of a PNG', 'damaged', async () => (await pngImage()).subarray(0, 8)],
    [
      'a GIF with the signature of a PNG',
      'damaged',
      async () => Buffer.concat([(await pngImage()).subarray(0, 8), await other('gif')]),
    ],
  ])('%s: %s', async (_kind, problem, create) => {
    await expect(store(await create())).rejects.toMatchObject({ name: 'ImageRefused', problem });
  });
});
