import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  canary,
  jpegImage,
  otherFiles,
  photoWithMetadata,
  pngBomb,
  pngImage,
  withTextChunk,
} from '../testing/images.ts';
import type { DecodeJob } from './decode-job.ts';
import { decoderLimits } from './decoder-child.ts';
import { DecoderBusy, ImageRefused, RenditionsNotWritten, createDecoder } from './decoder.ts';
import type { Decoder } from './decoder.ts';

const timeoutMs = 30_000;
let directory: string;
let decoder: Decoder;
let jobs = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linnet-decode-'));
  decoder = createDecoder({ dataDir: directory });
});
afterAll(async () => {
  await decoder[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function jobFor(file: Buffer): Promise<DecodeJob> {
  const place = join(directory, String((jobs += 1)));
  await mkdir(place);
  await writeFile(join(place, 'source'), file);
  const outputs = { full: join(place, 'full'), display: join(place, 'display'), thumb: join(place, 'thumb') };
  return { source: join(place, 'source'), outputs };
}

/** What became of a file: the image and its renditions, or the error. */
async function decode(file: Buffer, by: Decoder = decoder) {
  const { source, outputs } = await jobFor(file);
  const image = await by.decode({ source, outputs });
  const [full, display, thumb] = await Promise.all(Object.values(outputs).map(async (path) => await readFile(path)));
  return { image, full: full ?? Buffer.of(), display: display ?? Buffer.of(), thumb: thumb ?? Buffer.of() };
}

async function script(text: string): Promise<string> {
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
  ] as const)('%s: full size, for display and small', async (type, make, size) => {
    const { image, full, display, thumb } = await decode(await make(size));
    expect(image).toEqual({ type, bytes: full.length, ...size });
    const sizes = await Promise.all([full, display, thumb].map(async (file) => await sharp(file).metadata()));
    const format = type === 'png' ? 'png' : 'jpeg';
    expect(sizes.map((found) => [found.format, Math.max(found.width, found.height)])).toEqual([
      [format, 2000],
      [format, 1600],
      [format, 400],
    ]);
  });

  test('a small image is not made larger', async () => {
    const { image, display, thumb } = await decode(await pngImage({ width: 3, height: 2 }));
    expect(image).toMatchObject({ width: 3, height: 2 });
    expect([(await sharp(display).metadata()).width, (await sharp(thumb).metadata()).width]).toEqual([3, 3]);
  });

  test('grey, 16 bit, transparent and CMYK images become sRGB of eight bits; transparency stays', async () => {
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
  test('other types are refused', async () => {
    for (const [name, file] of Object.entries(await otherFiles())) {
      expect([name, await decode(file).catch((error: unknown) => error)]).toEqual([name, expect.any(ImageRefused)]);
    }
  });

  test('other types under the signature of a PNG or JPEG are refused', async () => {
    for (const file of Object.values(await otherFiles())) {
      for (const signature of ['89504e470d0a1a0a', 'ffd8ffe0']) {
        await expect(decode(Buffer.concat([Buffer.from(signature, 'hex'), file]))).rejects.toThrow(ImageRefused);
      }
    }
  });

  test('truncated and damaged images are refused', async () => {
    const png = await pngImage({ width: 300, height: 200 });
    const jpeg = await jpegImage({ width: 300, height: 200 });
    const damaged = Buffer.from(png);
    damaged.fill(0x55, 60, 120);
    for (const file of [png.subarray(0, png.length - 40), jpeg.subarray(0, jpeg.length / 2), damaged]) {
      await expect(decode(file)).rejects.toThrow(ImageRefused);
    }
  });

  test('400 megapixels in 50 KB are refused before they are unpacked', async () => {
    const bomb = pngBomb();
    expect(bomb.length).toBeLessThan(60_000);
    await decode(await pngImage());
    const startedAt = performance.now();
    await expect(decode(bomb)).rejects.toThrow(ImageRefused);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('40 megapixels are taken, a row more is not', async () => {
    const { image } = await decode(await pngImage({ width: 8000, height: 5000 }));
    expect(image).toMatchObject({ width: 8000, height: 5000 });
    await expect(decode(await pngImage({ width: 8000, height: 5001 }))).rejects.toThrow(ImageRefused);
  });
});

describe('MD7', { timeout: timeoutMs }, () => {
  test('nothing of the metadata is left, and the orientation is applied', async () => {
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
  ])('a tail of %s is gone', async (_name, tail) => {
    for (const file of [await pngImage(), await jpegImage()]) {
      const { full, display, thumb } = await decode(Buffer.concat([file, tail]));
      for (const one of [full, display, thumb]) expect(one.includes(tail)).toBe(false);
    }
  });

  test('text chunks of a PNG are gone', async () => {
    const file = withTextChunk(await pngImage(), canary);
    expect(file.includes(canary)).toBe(true);
    expect((await decode(file)).full.includes(canary)).toBe(false);
  });
});

describe('MD9', { timeout: timeoutMs }, () => {
  test('the process is started by the first image, and a killed one is replaced within a second', async () => {
    await using own = createDecoder({ dataDir: directory });
    expect(own.pid()).toBeUndefined();
    await decode(await pngImage(), own);
    const first = own.pid() ?? 0;
    process.kill(first, 'SIGKILL');
    const startedAt = performance.now();
    await decode(await pngImage(), own);
    expect(own.pid()).not.toBe(first);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test('an image under way when the process is killed by somebody is decoded by the next', async () => {
    await using own = createDecoder({ dataDir: directory });
    await decode(await pngImage(), own);
    const image = decode(await pngImage({ width: 8000, height: 5000 }), own);
    await delay(100);
    process.kill(own.pid() ?? 0, 'SIGKILL');
    expect(await image).toMatchObject({ image: { width: 8000 } });
  });

  test('a process that hangs is killed in time, and the next image is decoded', async () => {
    const mark = join(directory, 'hung-once');
    const hang = await script(`
      import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync('${mark}')) await import('${new URL('decoder-process.ts', import.meta.url).href}');
      else process.on('message', () => { writeFileSync('${mark}', ''); for (;;); }), process.send('ready');`);
    const deaths: string[] = [];
    const limits = { ...decoderLimits, jobMs: 1000 };
    const onDeath = ({ message }: Error) => deaths.push(message);
    await using own = createDecoder({ dataDir: directory, script: hang, limits, onDeath });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(await decode(await pngImage(), own)).toMatchObject({ image: { type: 'png' } });
    expect(deaths).toEqual(['it took too long']);
  });

  test('a process that takes too much memory is killed', async () => {
    const hog = await script(`
      const held = [];
      process.on('message', () => setInterval(() => held.push(Buffer.alloc(20e6, 1)), 5));
      process.send('ready');`);
    const deaths: string[] = [];
    const limits = { ...decoderLimits, residentBytes: 300e6 };
    const onDeath = ({ message }: Error) => deaths.push(message);
    await using own = createDecoder({ dataDir: directory, script: hog, limits, onDeath });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(deaths).toEqual(['it took too much memory']);
  });

  test('a file that crashes every process is refused after two', async () => {
    const crash = await script(`process.on('message', () => process.abort()); process.send('ready');`);
    const deaths: string[] = [];
    const onDeath = ({ message }: Error) => deaths.push(message);
    await using own = createDecoder({ dataDir: directory, script: crash, onDeath });
    await expect(decode(await pngImage(), own)).rejects.toThrow(ImageRefused);
    expect(deaths).toHaveLength(2);
  });

  test('it knows no secrets, and ends with its owner and when it has nothing to do', async () => {
    const own = createDecoder({ dataDir: directory, idleMs: 200 });
    await decode(await pngImage(), own);
    const pid = own.pid() ?? 0;
    const environment = await readFile(`/proc/${String(pid)}/environ`, 'utf8');
    expect(new Set(environment.split('\0').map((line) => line.split('=')[0]))).toEqual(
      new Set(['', 'DATA_DIR', 'MALLOC_ARENA_MAX', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'PWD']),
    );
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
    await decode(await pngImage(), own);
    const second = own.pid() ?? 0;
    await own[Symbol.asyncDispose]();
    expect(isRunning(second)).toBe(false);
  });

  test('images wait in a bounded line, and those left at the end are not called bad', async () => {
    const own = createDecoder({ dataDir: directory });
    const job = await jobFor(await pngImage());
    const asked = Array.from({ length: 40 }, async () => await own.decode(job).catch((error: unknown) => error));
    await delay(10);
    await own[Symbol.asyncDispose]();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer instanceof ImageRefused)).toEqual([]);
    expect(answers.filter((answer) => answer instanceof DecoderBusy).length).toBeGreaterThan(15);
  });

  test('renditions that cannot be written are no fault of the image', async () => {
    const { source } = await jobFor(await pngImage());
    const nowhere = join(directory, 'nowhere', 'file');
    const outputs = { full: nowhere, display: nowhere, thumb: nowhere };
    await expect(decoder.decode({ source, outputs })).rejects.toThrow(RenditionsNotWritten);
  });
});
