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

/** The members of a card that pages show. */
export interface ShownLinkCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly site_name: string;
  readonly picture?: (Omit<ShownPicture, 'id'> & { readonly thumbnail: string }) | undefined;
}

/** A picture this wide is above the words of a card, any other one beside them. */
const isWide = ({ width, height }: Pick<ShownPicture, 'width' | 'height'>) => width >= 300 && width > 1.3 * height;

/** What the page behind a link says about itself. The host is that of the link, whatever the page says. */
export function LinkCard({ card, hasPicture }: { readonly card: ShownLinkCard; readonly hasPicture: boolean }): VNode {
  const { url, title, description, site_name: site } = card;
  const picture = hasPicture ? card.picture : undefined;
  const wide = picture !== undefined && isWide(picture);
  const host = new URL(url).hostname.replace(/^www\./, '');
  return (
    <a class={wide ? 'link-card wide' : 'link-card'} href={url} rel="nofollow noopener noreferrer ugc">
      {picture === undefined ? null : (
        <img
          {...fit(picture)}
          src={wide ? picture.image : picture.thumbnail}
          alt={printableText(picture.alt)}
          loading="lazy"
        />
      )}
      <span class="words">
        <span class="quiet small" dir="auto">
          {[printableText(site), host]
            .filter((name, index, all) => name !== '' && all.indexOf(name) === index)
            .join(' · ')}
        </span>
        <strong dir="auto">{printableText(title)}</strong>
        {description === '' ? null : (
          <span class="small" dir="auto">
            {printableText(description)}
          </span>
        )}
      </span>
    </a>
  );
}

/** The size of a picture on its own. The style sheet makes it narrower where there is less space. */
function fit({ width, height }: Pick<ShownPicture, 'width' | 'height'>): Pick<ShownPicture, 'width' | 'height'> {
  const scale = Math.min(1, maxHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
