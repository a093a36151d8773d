import type { ImageProblem, ImageType } from './decode-job.ts';

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
export function typeOf(input: Buffer): FileType {
  const head = input.toString('latin1', 0, signatureBytes);
  return signatures.find(([, pattern]) => pattern.test(head))?.[0] ?? 'other';
}
