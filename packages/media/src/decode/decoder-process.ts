/**
 * The decoder process: the only place that passes untrusted bytes to an image decoder. It has no secrets and no state,
 * and may exit at any time. It accepts PNG and JPEG, and encodes the pixels again, so that nothing else in the uploaded
 * file survives.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { encode as encodeBlurhash } from 'blurhash';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

import { maxPixels } from './decode-job.ts';
import type { DecodeJob, DecodeResult, DecodedImage, ImageType } from './decode-job.ts';

const displayPixels = 1600;
const thumbPixels = 400;
const jpegQuality = 88;
const pngCompression = 4;
/** The preview: cosines across and down, of a small square. It has no shape, and an image of few pixels gives wrong colours. */
const blurhash = { pixels: 32, across: 4, down: 3 };

const signatures: Readonly<Record<ImageType, Buffer>> = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpg: Buffer.from('ffd8ff', 'hex'),
};

/** The renditions could not be written. */
class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });

async function decode({ source, outputs }: DecodeJob): Promise<DecodedImage> {
  const input = await readFile(source);
  const type = typeOf(input);
  const { width, height, format } = await open(input).metadata();
  if (width * height > maxPixels) throw new Error('it has too many pixels');
  if (format !== (type === 'png' ? 'png' : 'jpeg')) throw new Error('its signature does not match its format');
  const full = await encode(open(input), type);
  const display = await encode(shrink(open(input), displayPixels), type);
  const thumb = await encode(shrink(sharp(display.data), thumbPixels), type);
  const preview = await hash(thumb.data);
  await write(outputs.full, full.data);
  await write(outputs.display, display.data);
  await write(outputs.thumb, thumb.data);
  return { type, bytes: full.data.length, width: full.info.width, height: full.info.height, blurhash: preview };
}

/** What is transparent counts as white. */
async function hash(thumb: Buffer): Promise<string> {
  const { pixels, across, down } = blurhash;
  const { data } = await sharp(thumb)
    .resize({ width: pixels, height: pixels, fit: 'fill' })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeBlurhash(new Uint8ClampedArray(data), pixels, pixels, across, down);
}

function typeOf(input: Buffer): ImageType {
  for (const type of ['png', 'jpg'] as const) {
    if (input.subarray(0, signatures[type].length).equals(signatures[type])) return type;
  }
  throw new Error('it is neither PNG nor JPEG');
}

/** Rejects truncated and damaged files. Applies the EXIF orientation, because metadata is not kept. */
function open(input: Buffer): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn: 'warning', animated: false }).autoOrient();
}

function shrink(image: Sharp, pixels: number): Sharp {
  return image.resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true });
}

/** Encodes as sRGB with eight bits per channel. sharp writes no metadata by default. */
async function encode(image: Sharp, type: ImageType) {
  const encoded =
    type === 'png' ? image.png({ compressionLevel: pngCompression }) : image.jpeg({ quality: jpegQuality });
  return await encoded.toBuffer({ resolveWithObject: true });
}

async function write(path: string, data: Buffer): Promise<void> {
  try {
    await writeFile(path, data, { mode: 0o600, flush: true });
  } catch (error) {
    throw new WriteFailed(String(error), { cause: error });
  }
}

async function run(job: DecodeJob): Promise<DecodeResult> {
  try {
    return { decoded: await decode(job) };
  } catch (error) {
    return { problem: error instanceof WriteFailed ? 'disk' : 'image', detail: String(error) };
  }
}

// Only our parent process has this channel, and it sends nothing but jobs.
process.on('message', (job) => void run(job as DecodeJob).then((result) => process.send?.(result)));
// Signals for the whole process group are ignored: the parent finishes its requests first, and then kills this process.
// A closed channel means that the parent has exited.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');
