/**
 * The decoder process: the only place that passes untrusted bytes to an image decoder. It has no secrets and no state,
 * and may exit at any time. It accepts PNG and JPEG (specification, Limits), and encodes the pixels again, so that
 * nothing else in the uploaded file survives. Of HEIC, sharp has no decoder.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { encode as encodeBlurhash } from 'blurhash';
import sharp from 'sharp';
import type { Metadata, OutputInfo, Sharp } from 'sharp';

import { maxPixels } from './decode-job.ts';
import type { DecodedImage, DecodeJob, DecodeResult, ImageProblem, ImageType, Rendition } from './decode-job.ts';
import { encodePalettePng, readPngColour } from './png.ts';

const displayPixels = 1600;
const thumbPixels = 400;
const jpegQuality = 88;
const pngCompression = 4;
/** A PNG with more pixels is encoded once only. */
const maxPixelsEncodedTwice = 12_000_000;
/** A file that ends too early is kept if at least so much of its height can be decoded; the rest is empty. */
const leastPart = 0.9;
/** The preview: cosines across and down, of a small square. It has no shape, and an image of few pixels gives wrong colours. */
const blurhash = { pixels: 32, across: 4, down: 3 };

/** The renditions could not be written. */
class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
}

class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem) {
    super(problem);
    this.problem = problem;
  }
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });

/** What the header of an accepted file says. */
interface Picture {
  readonly input: Buffer;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly isGrey: boolean;
  /** Its pixels are indexes of colours, or have few bits. */
  readonly hasFewColours: boolean;
  /** See `readPngColour`. */
  readonly exponent: number;
}

interface Encoded {
  readonly data: Buffer;
  readonly info: Pick<OutputInfo, 'width' | 'height'>;
}

async function decode({ source, outputs }: DecodeJob): Promise<DecodedImage> {
  const picture = await inspect(await readFile(source));
  const { full, display, thumb } = await render(picture);
  const preview = await hash(thumb.data);
  await write(outputs.full, full.data);
  await write(outputs.display, display.data);
  await write(outputs.thumb, thumb.data);
  const { width, height } = full.info;
  return { type: picture.type, bytes: full.data.length, width, height, blurhash: preview };
}

/** @throws Refused */
async function inspect(input: Buffer): Promise<Picture> {
  const type = typeOf(input);
  if (type !== 'png' && type !== 'jpg') throw new Refused(type);
  const colour = type === 'png' ? readPngColour(input) : { exponent: 1, isHdr: false };
  if (colour.isHdr) throw new Refused('hdr');
  const found = await sharp(input, { limitInputPixels: false }).metadata();
  if (found.width * found.height > maxPixels) throw new Refused('too-many-pixels');
  if (found.format !== (type === 'png' ? 'png' : 'jpeg')) throw new Refused('damaged');
  return { input, type, exponent: colour.exponent, ...shapeOf(found) };
}

function shapeOf({
  width,
  height,
  space,
  isPalette,
  bitsPerSample = 8,
}: Metadata): Omit<Picture, 'input' | 'type' | 'exponent'> {
  const isGrey = space === 'b-w' || space === 'grey16';
  return { width, height, isGrey, hasFewColours: isPalette || bitsPerSample < 8 };
}

/** Warnings are no reason to refuse: phones write unusual headers. */
async function render(picture: Picture): Promise<Record<Rendition, Encoded>> {
  try {
    return await encodeAll(picture, 'error');
  } catch (error) {
    await decodeLeastPart(picture, error);
    return await encodeAll(picture, 'none');
  }
}

/** @throws the reason, if too few rows can be decoded */
async function decodeLeastPart({ input, width, height }: Picture, reason: unknown): Promise<void> {
  const area = { left: 0, top: 0, width, height: Math.ceil(height * leastPart) };
  await read(input, 'error')
    .extract(area)
    .raw()
    .toBuffer()
    .catch(() => {
      throw reason;
    });
}

async function encodeAll(picture: Picture, failOn: FailOn): Promise<Record<Rendition, Encoded>> {
  const open = () => toStandardColour(read(picture.input, failOn).autoOrient(), picture);
  const full = (picture.hasFewColours ? await encodeWithPalette(open()) : undefined) ?? (await encode(open(), picture));
  const display = fits(full, displayPixels) ? full : await encode(shrink(open(), displayPixels), picture);
  const thumb = fits(full, thumbPixels) ? full : await encode(shrink(sharp(display.data), thumbPixels), picture);
  return { full, display, thumb };
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

type FailOn = 'error' | 'none';

function read(input: Buffer, failOn: FailOn): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn, animated: false });
}

/** sharp takes exponents from 1 to 3, and their reciprocals in another place. */
function toStandardColour(image: Sharp, { isGrey, exponent }: Picture): Sharp {
  const coloured = isGrey ? image.toColourspace('b-w') : image;
  if (exponent === 1) return coloured;
  return exponent > 1 ? coloured.gamma(Math.min(3, exponent), 1) : coloured.gamma(1, Math.min(3, 1 / exponent));
}

function fits({ info }: Encoded, pixels: number): boolean {
  return Math.max(info.width, info.height) <= pixels;
}

function shrink(image: Sharp, pixels: number): Sharp {
  return image.resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true });
}

/** Encodes with eight bits per channel. sharp writes no metadata by default. */
async function encode(image: Sharp, { type, width, height }: Picture): Promise<Encoded> {
  if (type === 'jpg') return await image.jpeg({ quality: jpegQuality }).toBuffer({ resolveWithObject: true });
  const png = async (adaptiveFiltering: boolean) =>
    await image
      .clone()
      .png({ compressionLevel: pngCompression, adaptiveFiltering })
      .toBuffer({ resolveWithObject: true });
  const plain = await png(false);
  if (width * height > maxPixelsEncodedTwice) return plain;
  // Photos need the filter, and drawings get larger by it.
  const filtered = await png(true);
  return plain.data.length < filtered.data.length ? plain : filtered;
}

/** `undefined`: it has too many colours. */
async function encodeWithPalette(image: Sharp): Promise<Encoded | undefined> {
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const encoded = encodePalettePng(data, info);
  return encoded && { data: encoded, info };
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
    return { problem: problemOf(error), detail: String(error) };
  }
}

function problemOf(error: unknown): ImageProblem | 'disk' {
  if (error instanceof WriteFailed) return 'disk';
  return error instanceof Refused ? error.problem : 'damaged';
}

// Only our parent process has this channel, and it sends nothing but jobs.
process.on('message', (job) => void run(job as DecodeJob).then((result) => process.send?.(result)));
// Signals for the whole process group are ignored: the parent finishes its requests first, and then kills this process.
// A closed channel means that the parent has exited.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');

type FileType = ImageType | Extract<ImageProblem, 'heic' | 'avif' | 'webp' | 'gif' | 'other'>;

const signatures: readonly (readonly [type: FileType, pattern: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpg', /^\xFF\xD8\xFF/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
  // An ISO base media file names its brands: first its own, then those it is compatible with.
  ['avif', /^.{4}ftyp(?:.{4})*?avi[fs]/s],
  ['heic', /^.{4}ftyp(?:.{4})*?(?:he[ivc][cxms]|hevc|mif1|msf1)/s],
];
const signatureBytes = 64;

/** Reads the type of a file from its first bytes. */
function typeOf(input: Buffer): FileType {
  const head = input.toString('latin1', 0, signatureBytes);
  return signatures.find(([, pattern]) => pattern.test(head))?.[0] ?? 'other';
}
