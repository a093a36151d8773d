import type { VNode } from 'preact';

import { printableText } from './inert-text.ts';

/** The members of an attachment that pages show. */
export interface ShownPicture {
  readonly id: number;
  readonly image: string;
  /** Empty: its owner has not said what it shows. */
  readonly alt: string;
  /** In pixels, of the full-size file. */
  readonly width: number;
  readonly height: number;
}

interface PicturesProps {
  readonly pictures: readonly ShownPicture[];
  /** What a picture is called whose owner has not said what it shows. */
  readonly unnamed: string;
}

/** In CSS pixels. */
const maxHeight = 576;

/** The pictures of a post: one as a whole, several in a grid whose cells have a fixed shape. Space is kept until they are loaded. */
export function Pictures({ pictures, unnamed }: PicturesProps): VNode {
  return (
    <div class="pictures">
      {pictures.map((picture) => (
        <a key={picture.id} class="picture" href={picture.image}>
          <img
            {...fit(picture)}
            src={picture.image}
            alt={picture.alt.trim() === '' ? unnamed : printableText(picture.alt)}
            loading="lazy"
          />
        </a>
      ))}
    </div>
  );
}

/** The size of a picture on its own. The style sheet makes it narrower where there is less space. */
function fit({ width, height }: ShownPicture): Pick<ShownPicture, 'width' | 'height'> {
  const scale = Math.min(1, maxHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
