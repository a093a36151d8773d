import type { Post } from '@linnet/sdk';
import { decode, isBlurhashValid } from 'blurhash';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

type Picture = Post['attachments'][number];

interface PicturesProps {
  readonly pictures: readonly Picture[];
  /** What a picture is called whose owner has not said what it shows. */
  readonly unnamed: string;
  /** Reads the post again, so that its pictures have new addresses. */
  readonly onExpired: () => void;
}

/** The pictures of a post: one as a whole, several in a grid. They keep their space, and are blurred until they are loaded. */
export function Pictures({ pictures, unnamed, onExpired }: PicturesProps): VNode | null {
  const [missing, setMissing] = useState<readonly string[]>([]);
  const shown = pictures.filter(({ image }) => !missing.includes(image));
  const leaveOut = (image: string) => {
    setMissing((before) => [...before, image]);
    // Addresses of protected accounts expire.
    if (new URL(image).searchParams.has('expires')) onExpired();
  };
  if (shown.length === 0) return null;
  return (
    <div class="pictures">
      {shown.map((picture) => (
        <a key={picture.id} class="picture" href={picture.image} target="_blank" rel="noopener noreferrer">
          {picture.blurhash !== null && <Blurred blurhash={picture.blurhash} />}
          <img
            src={picture.image}
            alt={picture.alt === '' ? unnamed : picture.alt}
            width={picture.width}
            height={picture.height}
            loading="lazy"
            decoding="async"
            onError={() => leaveOut(picture.image)}
          />
        </a>
      ))}
    </div>
  );
}

interface LinkCardProps {
  readonly card: Post['card'] | undefined;
  /** Whether the post may show its picture. */
  readonly hasPicture?: boolean;
}

/** A picture this wide is above the words of a card, any other one beside them. */
const isWide = ({ width, height }: Pick<Picture, 'width' | 'height'>) => width >= 300 && width > 1.3 * height;

/** The host is that of the link, whatever the page says. */
function toSite({ url, site_name: site }: NonNullable<Post['card']>): string {
  const host = new URL(url).hostname.replace(/^www\./, '');
  return site === '' || site === host ? host : `${site} · ${host}`;
}

/** What the page behind the first link says about itself. */
export function LinkCard({ card, hasPicture = true }: LinkCardProps): VNode | null {
  if (card === undefined) return null;
  const { url, title, description } = card;
  const picture = hasPicture ? card.picture : undefined;
  const wide = picture !== undefined && isWide(picture);
  return (
    <a class={wide ? 'link-card wide' : 'link-card'} href={url} target="_blank" rel="nofollow noopener noreferrer ugc">
      {picture !== undefined && (
        <img
          src={wide ? picture.image : picture.thumbnail}
          alt={picture.alt}
          width={picture.width}
          height={picture.height}
          loading="lazy"
          decoding="async"
        />
      )}
      <span class="words">
        <small dir="auto">{toSite(card)}</small>
        <strong dir="auto">{title}</strong>
        {description !== '' && <span dir="auto">{description}</span>}
      </span>
    </a>
  );
}

/** The browser makes it as large as the picture, and smooths it. */
const side = 32;

function Blurred({ blurhash }: { readonly blurhash: string }): VNode {
  const draw = (canvas: HTMLCanvasElement | null) => {
    if (canvas === null || !isBlurhashValid(blurhash).result) return;
    const pixels = new ImageData(new Uint8ClampedArray(decode(blurhash, side, side)), side, side);
    canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  };
  return <canvas ref={draw} width={side} height={side} aria-hidden="true" />;
}
