import type { Attachment } from '@linnet/contract/attachment';
import { cardSize } from '@linnet/media/card/card-job';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { AssetAddresses } from '@linnet/ui/assets';
import { inertText } from '@linnet/ui/inert-text';
import type { ComponentChildren, VNode } from 'preact';

import type { PageTexts } from './page-texts.ts';

/** What every public page needs in addition to its own properties. */
export interface PageFrame {
  readonly texts: PageTexts;
  /** The service name as people read it. */
  readonly serviceName: string;
  readonly assets: AssetAddresses;
  readonly languageLinks: readonly LanguageLink[];
  readonly siteLinks: SiteLinks;
}

interface LanguageLink {
  readonly language: string;
  readonly name: string;
  readonly href: string;
}

/** How other sites preview a link to the page: Open Graph, Twitter cards, search engines. */
export interface Preview {
  readonly type: 'profile' | 'article' | 'website';
  readonly title: string;
  readonly description: string;
  /** The canonical address of the page. */
  readonly url: string;
  /** A card (`cardSize`), or the pictures of a post. */
  readonly images: readonly PreviewImage[];
  /** Further Open Graph properties of the type, such as `profile:username`. */
  readonly properties: Readonly<Record<string, string>>;
  /** The page that its feeds belong to. */
  readonly feed?: string | undefined;
  /** The address of its oEmbed. */
  readonly embed?: string | undefined;
  /** JSON-LD. */
  readonly data?: object | undefined;
  /** False adds `noindex` for search engines. */
  readonly isListed: boolean;
}

export interface PreviewImage extends Pick<Attachment, 'image' | 'width' | 'height' | 'alt'> {
  readonly type?: string;
}

interface LayoutProps {
  readonly frame: PageFrame;
  readonly title: string;
  readonly kind: 'area' | 'card';
  /** Absent on pages that nobody should link to. */
  readonly preview?: Preview;
  readonly children: ComponentChildren;
}

/** The document around every public page. */
export function PageLayout({ frame, title, kind, preview, children }: LayoutProps): VNode {
  const { texts, assets, serviceName } = frame;
  return (
    <html lang={texts.language} prefix="og: https://ogp.me/ns#">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${inertText(title)} · ${serviceName}`}</title>
        {preview === undefined ? <meta name="robots" content="noindex" /> : <PreviewTags frame={frame} of={preview} />}
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href={assets.logo} type="image/svg+xml" />
        {Object.values(assets.scripts).map((address) => (
          <script key={address} src={address} defer />
        ))}
      </head>
      <body class={`public ${kind}`}>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header class="top">
          <a class="brand" href="/">
            <img src={assets.logo} alt="" width={32} height={32} />
            <span>{serviceName}</span>
          </a>
          <nav class="main-navigation" aria-label={texts.navigation}>
            {/* It leads home who is signed in: the page is the same for everybody. */}
            <a href="/login" rel="nofollow">
              {texts.signIn}
            </a>
          </nav>
        </header>
        <main id="content">{children}</main>
        <footer class="foot">
          <LanguageSwitch frame={frame} />
          <Links frame={frame} />
        </footer>
      </body>
    </html>
  );
}

/** The formats of feeds, by what follows the address of the page. */
export const feedTypes = { '.atom': 'application/atom+xml', '.rss': 'application/rss+xml' } as const;

/** The preview image of a page without pictures. */
export function cardImage(address: string): PreviewImage {
  return { image: address, ...cardSize, type: 'image/png', alt: '' };
}

/** Open Graph: the properties of an image follow its address. */
function imageProperties({ image, width, height, type, alt }: PreviewImage): readonly (readonly [string, string])[] {
  return [
    ['og:image', image],
    ['og:image:width', String(width)],
    ['og:image:height', String(height)],
    ...(type === undefined ? [] : [['og:image:type', type] as const]),
    ...(alt === '' ? [] : [['og:image:alt', inertText(alt)] as const]),
  ];
}

function PreviewTags({ frame, of }: { readonly frame: PageFrame; readonly of: Preview }): VNode {
  const title = inertText(of.title);
  const properties: readonly (readonly [name: string, content: string])[] = [
    ['og:type', of.type],
    ['og:title', title],
    ['og:description', of.description],
    ['og:url', of.url],
    ...of.images.flatMap(imageProperties),
    ['og:site_name', frame.serviceName],
    ['og:locale', frame.texts.locale],
    ...Object.entries(of.properties),
  ];
  const [first] = of.images;
  return (
    <>
      <link rel="canonical" href={of.url} />
      {of.feed === undefined
        ? null
        : Object.entries(feedTypes).map(([suffix, type]) => (
            <link key={suffix} rel="alternate" type={type} href={`${of.feed ?? ''}${suffix}`} title={title} />
          ))}
      {of.embed === undefined ? null : (
        <link rel="alternate" type="application/json+oembed" href={of.embed} title={title} />
      )}
      {of.data === undefined ? null : <DataBlock data={of.data} />}
      {of.isListed ? null : <meta name="robots" content="noindex" />}
      <meta name="description" content={of.description} />
      {properties.map(([property, content], index) => (
        // They never change their order.
        <meta key={index} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={of.description} />
      {first === undefined ? null : <meta name="twitter:image" content={first.image} />}
      {first === undefined || first.alt === '' ? null : (
        <meta name="twitter:image:alt" content={inertText(first.alt)} />
      )}
    </>
  );
}

/** A block of data, which no browser runs. Without `<` it cannot end early. */
function DataBlock({ data }: { readonly data: object }): VNode {
  const __html = JSON.stringify(data).replaceAll('<', String.raw`\u003C`);
  // oxlint-disable-next-line react/no-danger -- Preact escapes quotation marks, which JSON needs
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html }} />;
}

/** The documentation, and what the operator has set: who runs the service, and its terms. */
function Links({ frame: { texts, siteLinks } }: { readonly frame: PageFrame }): VNode {
  const set = (['contact', 'terms', 'privacy', 'status'] as const).flatMap((name) => {
    const href = siteLinks[name] ?? (name === 'status' ? '/status' : undefined);
    return href === undefined ? [] : [{ href, text: texts[name] }];
  });
  return (
    <nav class="site-links" aria-label={texts.aboutService}>
      {[{ href: '/developers', text: texts.guides }, ...set].map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function LanguageSwitch({ frame }: { readonly frame: PageFrame }): VNode {
  const { texts } = frame;
  return (
    <nav class="languages" aria-label={texts.languages}>
      {frame.languageLinks.map(({ language, name, href }) =>
        language === texts.language ? (
          <span key={language} aria-current="true">
            {name}
          </span>
        ) : (
          <a key={language} href={href} lang={language} hreflang={language}>
            {name}
          </a>
        ),
      )}
    </nav>
  );
}
