import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { decode as decodeBlurhash } from 'blurhash';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  canary,
  jpegImage,
  otherFiles,
  photoWithMetadata,
  pngBomb,
  pngImage,
  withPngChunk,
} from '@linnet/test/media/images';
import type { DecodeJob } from './decode-job.ts';
import { decoderLimits } from './decoder-child.ts';
import { DecoderBusy, ImageRefused, RenditionWriteFailed, createDecoder } from './decoder.ts';
import type { Decoder } from './decoder.ts';

const timeoutMs = 120_000;
let directory: string;
let decoder: Decoder;
let jobs = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-decode-'));
  decoder = startDecoder();
});
afterAll(async () => {
  await decoder[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function createJob(file: Buffer): Promise<DecodeJob> {
  const jobFiles = join(directory, String((jobs += 1)));
  await mkdir(jobFiles);
  const inJob = (name: string) => join(jobFiles, name);
  await writeFile(inJob('source'), file);
  return {
    source: inJob('source'),
    outputs: { full: inJob('full'), display: inJob('display'), thumb: inJob('thumb') },
  };
}

/** Decodes a file and reads its renditions. */
async function decode(file: Buffer, by: Decoder = decoder) {
  const { source, outputs } = await createJob(file);
  const image = await by.decode({ source, outputs });
  return {
    image,
    full: await readFile(outputs.full),
    display: await readFile(outputs.display),
    thumb: await readFile(outputs.thumb),
  };
}

function runningPid(by: Decoder): number {
  const pid = by.pid();
  if (pid === undefined) throw new Error('the decoder process is not running');
  return pid;
}

async function writeScript(text: string): Promise<string> {
  const path = join(directory, `script-${String((jobs += 1))}.mjs`);
  await writeFile(path, text);
  return path;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('renditions', { timeout: timeoutMs }, () => {
  test.each([
    ['png', pngImage, { width: 2000, height: 1000 }],
    ['jpg', jpegImage, { width: 1000, height: 2000 }],
  ] as const)('%s: writes the full, display and thumb renditions', async (type, create, size) => {
    const { image, full, display, thumb } = await decode(await create(size));
    expect(image).toEqual({ type, bytes: full.length, ...size, blurhash: expect.any(String) });
    const sizes = await Promise.all([full, display, thumb].map(async (file) => await sharp(file).metadata()));
    const format = type === 'png' ? 'png' : 'jpeg';
    expect(sizes.map((found) => [found.format, Math.max(found.width, found.height)])).toEqual([
      [format, 2000],
      [format, 1600],
      [format, 400],
    ]);
  });

  const halves = sharp({ create: { width: 600, height: 300, channels: 3, background: '#c00' } }).composite([
    { input: { create: { width: 300, height: 300, channels: 3, background: '#00c' } }, left: 300, top: 0 },
  ]);
  const transparent = sharp({ create: { width: 30, height: 20, channels: 4, background: '#0000' } });
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: '#0c0' } });

  test.each([
    ['red beside blue', halves.png(), [200, 0, 0], [0, 0, 200]],
    ['nothing, on white', transparent.png(), [255, 255, 255], [255, 255, 255]],
    ['one grey pixel', dot.greyscale().png(), [150, 150, 150], [150, 150, 150]],
    ['a JPEG in CMYK', halves.clone().toColourspace('cmyk').jpeg(), [200, 0, 0], [0, 0, 200]],
  ] as const)('the blurhash shows %s', async (_what, drawn, left, right) => {
    const { image } = await decode(await drawn.toBuffer());
    const pixels = decodeBlurhash(image.blurhash, 32, 16);
    const at = (x: number) => [...pixels.slice(4 * (8 * 32 + x), 4 * (8 * 32 + x) + 3)];
    for (const [found, expected] of [
      [at(2), left],
      [at(29), right],
    ] as const) {
      for (const [index, value] of expected.entries()) expect(Math.abs((found[index] ?? 0) - value)).toBeLessThan(90);
    }
  });

  test('does not enlarge a small image', async () => {
    const { image, display, thumb } = await decode(await pngImage({ width: 3, height: 2 }));
    expect(image).toMatchObject({ width: 3, height: 2 });
    expect([(await sharp(display).metadata()).width, (await sharp(thumb).metadata()).width]).toEqual([3, 3]);
  });

  test('converts grey, 16-bit, transparent and CMYK images to 8-bit sRGB and keeps transparency', async () => {
    const grey = await sharp(await pngImage())
      .greyscale()
      .png()
      .toBuffer();
    const deep = await sharp(await pngImage())
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const clear = await sharp(await pngImage())
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const cmyk = await sharp(await jpegImage())
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    for (const [file, hasAlpha] of [
      [grey, false],
      [deep, false],
      [clear, true],
      [cmyk, false],
    ] as const) {
      const found = await sharp((await decode(file)).full).metadata();
      expect(found).toMatchObject({ depth: 'uchar', hasAlpha });
      expect(['srgb', 'b-w']).toContain(found.space);
    }
  });
});

describe('MD5', { timeout: timeoutMs }, () => {
  test('refuses other types', async () => {
    for (const [name, file] of Object.entries(await otherFiles())) {
      expect([name, await decode(file).catch((error: unknown) => error)]).toEqual([name, expect.any(ImageRefused)]);
    }
  });

  test('refuses other types that start with the signature of a PNG or JPEG', async () => {
    for (const file of Object.values(await otherFiles())) {
      for (const signature of ['89504e470d0a1a0a', 'ffd8ffe0']) {
        await expect(decode(Buffer.concat([Buffer.from(signature, 'hex'), file]))).rejects.toThrow(ImageRefused);
      }
    }
  });

  test('refuses truncated and damaged images', async () => {
    const png = await pngImage({ width: 300, height: 200 });
    const jpeg = await jpegImage({ width: 300, height: 200 });
    const damaged = Buffer.from(png);
    damaged.fill(0x55, 60, 120);
    for (const file of [png.subarray(0, png.length - 40), jpeg.subarray(0, jpeg.length / 2), damaged]) {
      await expect(decode(file)).rejects.toThrow(ImageRefused);
    }
  });

  test('refuses 400 megapixels in 50 KB before decompressing them', async () => {
    const bomb = pngBomb();
    expect(bomb.length).toBeLessThan(60_000);
    const exits: Error[] = [];
    await using own = startDecoder({ onExit: (error) => exits.push(error) });
    await expect(decode(bomb, own)).rejects.toThrow(ImageRefused);
    // Decompressed, it would exceed the memory of the process.
    expect(exits).toEqual([]);
  });

  test('accepts 40 megapixels and refuses one row more', async () => {
    const { image } = await decode(await pngImage({ width: 8000, height: 5000 }));
    expect(image).toMatchObject({ width: 8000, height: 5000 });
    await expect(decode(await pngImage({ width: 8000, height: 5001 }))).rejects.toThrow(ImageRefused);
  });
});

describe('MD7', { timeout: timeoutMs }, () => {
  test('removes all metadata and applies the orientation', async () => {
    const photo = await photoWithMetadata({ width: 30, height: 20 });
    expect(photo.includes(canary)).toBe(true);
    const { image, full, display, thumb } = await decode(photo);
    expect(image).toMatchObject({ width: 20, height: 30 });
    for (const file of [full, display, thumb]) {
      expect(file.includes(canary)).toBe(false);
      const { exif, xmp, icc, iptc, orientation } = await sharp(file).metadata();
      expect({ exif, xmp, icc, iptc, orientation }).toEqual({});
    }
  });

  test.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['ZIP', Buffer.from('504b0304140000000800', 'hex')],
  ])('removes %s after the end of the image', async (_name, tail) => {
    for (const file of [await pngImage(), await jpegImage()]) {
      const { full, display, thumb } = await decode(Buffer.concat([file, tail]));
      for (const rendition of [full, display, thumb]) expect(rendition.includes(tail)).toBe(false);
    }
  });

  test('removes text chunks of a PNG', async () => {
    const file = withPngChunk(await pngImage(), 'tEXt', Buffer.from(`Comment\0${canary}`));
    expect(file.includes(canary)).toBe(true);
    expect((await decode(file)).full.includes(canary)).toBe(false);
  });
});

function startDecoder(options: Partial<Parameters<typeof createDecoder>[0]> = {}): Decoder {
  return createDecoder({ dataDir: directory, jobFiles: join(directory, '*'), ...options });
}

describe('MD9', { timeout: timeoutMs }, () => {
  test('starts the process for the first image and restarts a killed one', async () => {
    await using own = startDecoder();
    expect(own.pid()).toBeUndefined();
    await decode(await pngImage(), own);
    const first = runningPid(own);
    process.kill(first, 'SIGKILL');
    await decode(await pngImage(), own);
    expect(own.pid()).not.toBe(first);
  });

  test('retries an image whose process was killed from outside', async () => {
    await using own = startDecoder();
    await decode(await pngImage(), own);
    const image = decode(await pngImage({ width: 8000, height: 5000 }), own);
    await delay(100);
    process.kill(runningPid(own), 'SIGKILL');
    expect(await image).toMatchObject({ image: { width: 8000 } });
  });

  test('kills a process that hangs and decodes the next image', async () => {
    const marker = join(directory, 'hung-once');
    const hang = await writeScript(`
      import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync('${marker}')) await import('${new URL('decoder-process.ts', import.meta.url).href}');
      else process.on('message', () => { writeFileSync('${marker}', ''); for (;;); }), process.send('ready');`);
    const exits: string[] = [];
    const limits = { ...decoderLimits, jobMs: 1000, busyJobMs: timeoutMs };
    const onExit = ({ message }: Error) => exits.push(message);
    await using own = startDecoder({ script: hang, limits, onExit });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(await decode(await pngImage(), own)).toMatchObject({ image: { type: 'png' } });
    expect(exits).toEqual(['it took too long']);
  });

  test.each([
    ['does not get to its image', `process.on('message', () => undefined); process.send('ready');`],
    ['does not start', 'setInterval(() => undefined, 1000);'],
  ])('a process that %s is killed, and the image is not refused', async (_what, script) => {
    const limits = { ...decoderLimits, startMs: 500, jobMs: 100, busyJobMs: 500 };
    const slow = await writeScript(script);
    await using own = startDecoder({ script: slow, limits });
    await expect(decode(await pngImage(), own)).rejects.toThrow(DecoderBusy);
  });

  test('kills a process that takes too much memory', async () => {
    const leak = await writeScript(`
      const held = [];
      process.on('message', () => setInterval(() => held.push(Buffer.alloc(20e6, 1)), 5));
      process.send('ready');`);
    const exits: string[] = [];
    const limits = { ...decoderLimits, residentBytes: 300e6 };
    const onExit = ({ message }: Error) => exits.push(message);
    await using own = startDecoder({ script: leak, limits, onExit });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(exits).toEqual(['it took too much memory']);
  });

  test('refuses a file after it has crashed two processes', async () => {
    const crash = await writeScript(`process.on('message', () => process.abort()); process.send('ready');`);
    const exits: string[] = [];
    const onExit = ({ message }: Error) => exits.push(message);
    await using own = startDecoder({ script: crash, onExit });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(exits).toHaveLength(2);
  });

  test('the process has no secrets in its environment, and stops when idle and when the decoder is disposed of', async () => {
    const own = startDecoder({ idleMs: 200 });
    await decode(await pngImage(), own);
    const pid = runningPid(own);
    const environment = await readFile(`/proc/${String(pid)}/environ`, 'utf8');
    expect(new Set(environment.split('\0').map((line) => line.split('=')[0]))).toEqual(
      new Set(['', 'DATA_DIR', 'MALLOC_ARENA_MAX', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'PWD']),
    );
    await expect.poll(() => isRunning(pid)).toBe(false);
    await decode(await pngImage(), own);
    const second = runningPid(own);
    await own[Symbol.asyncDispose]();
    expect(isRunning(second)).toBe(false);
  });

  test('limits the queue, and does not refuse the images that are waiting when it is disposed of', async () => {
    const own = startDecoder();
    const job = await createJob(await pngImage());
    const pending = Array.from({ length: 40 }, async () => await own.decode(job).catch((error: unknown) => error));
    await delay(10);
    await own[Symbol.asyncDispose]();
    const results = await Promise.all(pending);
    expect(results.filter((result) => result instanceof ImageRefused)).toEqual([]);
    expect(results.filter((result) => result instanceof DecoderBusy).length).toBeGreaterThan(15);
  });

  test('reports renditions that cannot be written as a storage error', async () => {
    const { source } = await createJob(await pngImage());
    const missing = join(directory, 'missing', 'file');
    const outputs = { full: missing, display: missing, thumb: missing };
    await expect(decoder.decode({ source, outputs })).rejects.toThrow(RenditionWriteFailed);
  });
});
