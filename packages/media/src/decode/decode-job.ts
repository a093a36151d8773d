/** What the API asks the decoding process for, and what it answers. Files, because images are large. */
export interface DecodeJob {
  /** The untrusted file. */
  readonly source: string;
  /** Where the renditions go. */
  readonly outputs: Readonly<Record<Rendition, string>>;
}

/** The image in full size, as pages show it, and small. */
export const renditions = ['full', 'display', 'thumb'] as const;
export type Rendition = (typeof renditions)[number];

export type ImageType = 'png' | 'jpg';

/** Of the full-size file. */
export interface DecodedImage {
  readonly type: ImageType;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** `image`: it is not one we take. `disk`: the renditions could not be written. */
export type DecodeAnswer =
  | { readonly decoded: DecodedImage }
  | { readonly problem: 'image' | 'disk'; readonly detail: string };

/** Of one image (decisions D32). */
export const maxPixels = 40_000_000;
