/**
 * The decoding process: the only place where the octets of strangers meet a decoder. It is given no
 * secrets, holds nothing, and may die at any time. It reads PNG and JPEG; what it writes is drawn
 * anew from the pixels, so nothing else of the file is left.
 */
import { readFile, writeFile } from 'node:fs/promises';

import sharp from 'sharp';
import type { Sharp } from 'sharp';

import { maxPixels } from './decode-job.ts';
import type { DecodeAnswer, DecodeJob, DecodedImage, ImageType } from './decode-job.ts';

const displayPixels = 1600;
const thumbPixels = 400;
const jpegQuality = 88;
const pngCompression = 4;

const signatures: Readonly<Record<ImageType, Buffer>> = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpg: Buffer.from('ffd8ff', 'hex'),
};

/** The renditions could not be written. */
class DiskProblem extends Error {
  override readonly name = 'DiskProblem';
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
  if (format !== (type === 'png' ? 'png' : 'jpeg')) throw new Error('its type is not what it seems');
  const full = await encode(open(input), type);
  const display = await encode(shrink(open(input), displayPixels), type);
  const thumb = await encode(shrink(sharp(display.data), thumbPixels), type);
  await write(outputs.full, full.data);
  await write(outputs.display, display.data);
  await write(outputs.thumb, thumb.data);
  return { type, bytes: full.data.length, width: full.info.width, height: full.info.height };
}

function typeOf(input: Buffer): ImageType {
  for (const type of ['png', 'jpg'] as const) {
    if (input.subarray(0, signatures[type].length).equals(signatures[type])) return type;
  }
  throw new Error('it is neither PNG nor JPEG');
}

/** Truncated and damaged files are refused; the orientation is applied before it is lost. */
function open(input: Buffer): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn: 'warning', animated: false }).autoOrient();
}

function shrink(image: Sharp, pixels: number): Sharp {
  return image.resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true });
}

/** sRGB, eight bits, without metadata: sharp keeps none unless asked to. */
async function encode(image: Sharp, type: ImageType) {
  const encoded =
    type === 'png' ? image.png({ compressionLevel: pngCompression }) : image.jpeg({ quality: jpegQuality });
  return await encoded.toBuffer({ resolveWithObject: true });
}

async function write(path: string, data: Buffer): Promise<void> {
  try {
    await writeFile(path, data, { mode: 0o600, flush: true });
  } catch (error) {
    throw new DiskProblem(String(error), { cause: error });
  }
}

async function answer(job: DecodeJob): Promise<DecodeAnswer> {
  try {
    return { decoded: await decode(job) };
  } catch (error) {
    return { problem: error instanceof DiskProblem ? 'disk' : 'image', detail: String(error) };
  }
}

// The API's messages are its own; nobody else has the channel.
process.on('message', (job) => void answer(job as DecodeJob).then((found) => process.send?.(found)));
// Whoever stops the service stops the API, and the API this process; a lost channel is its end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');
