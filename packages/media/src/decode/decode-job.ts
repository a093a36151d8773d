/** A message to the decoder process. It contains paths rather than bytes, because images are large. */
export interface DecodeJob {
  /** Path of the untrusted file. */
  readonly source: string;
  /** Paths of the renditions to write. */
  readonly outputs: Readonly<Record<Rendition, string>>;
}

/** The image in full size, in the size that pages display, and as a thumbnail. */
export const renditions = ['full', 'display', 'thumb'] as const;
export type Rendition = (typeof renditions)[number];

export type ImageType = 'png' | 'jpg';

/**
 * Describes the full-size rendition; `width` and `height` are in pixels. `blurhash` is a preview of about 30 characters
 * (https://blurha.sh).
 */
export interface DecodedImage {
  readonly type: ImageType;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly blurhash: string;
}

/**
 * Why a file is not acceptable: its type, if people know it by name (`other`: any other type); `hdr`: a PNG in PQ or HLG;
 * `damaged`: less than nine tenths of its rows can be decoded.
 */
export type ImageProblem = 'heic' | 'avif' | 'webp' | 'gif' | 'other' | 'hdr' | 'too-many-pixels' | 'damaged';

/** The decoder's response. `disk`: the renditions could not be written. */
export type DecodeResult =
  | { readonly decoded: DecodedImage }
  | { readonly problem: ImageProblem | 'disk'; readonly detail: string };

/** The most pixels that an image may have (decisions D32). */
export const maxPixels = 40_000_000;
