import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from './frame.ts';
import { inertText } from '@linnet/ui/inert-text';
import { pagePaths } from './page-paths.ts';

interface LayoutProps {
  readonly frame: Frame;
  /** Document title; the service's name is appended. */
  readonly title: string;
  /** `card`: a single question; `area`: a page with navigation. */
  readonly kind: 'card' | 'area';
  /** The current item of the navigation. */
  readonly section?: 'home' | 'applications' | 'account';
  /** Omits links that would leave an authorization in progress. */
  readonly isStep?: boolean;
  /** Omits the links to other languages: the page can be loaded only once. */
  readonly isOnce?: boolean;
  /** For search engines, which may list only pages that have one. */
  readonly description?: string;
  readonly children: ComponentChildren;
}

/** The document that every page shares. */
export function Layout(props: LayoutProps): VNode {
  const { frame, title, kind, section, isStep = false, isOnce = false, description, children } = props;
  const { messages, assets, serviceName } = frame;
  const hasNavigation = !isStep && frame.viewer !== undefined;
  return (
    <html lang={messages.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {description === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <meta name="description" content={description} />
        )}
        <title>{`${inertText(title)} · ${serviceName}`}</title>
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href={assets.logo} type="image/svg+xml" />
      </head>
      <body class={kind}>
        <a class="skip" href="#content">
          {messages.layout.skip}
        </a>
        <header class={hasNavigation ? 'top' : 'top alone'}>
          <Brand frame={frame} isLink={!isStep} />
          {hasNavigation ? <Navigation frame={frame} section={section} /> : null}
        </header>
        <main id="content">{children}</main>
        <footer class="foot">
          {isOnce ? null : <LanguageSwitch frame={frame} />}
          <SiteLinks frame={frame} />
        </footer>
      </body>
    </html>
  );
}

function Brand({ frame, isLink }: { readonly frame: Frame; readonly isLink: boolean }): VNode {
  const content = (
    <>
      <img src={frame.assets.logo} alt="" width={32} height={32} />
      <span>{frame.serviceName}</span>
    </>
  );
  if (!isLink) return <div class="brand">{content}</div>;
  return (
    <a class="brand" href={pagePaths.home}>
      {content}
    </a>
  );
}

function Navigation({
  frame,
  section,
}: Pick<LayoutProps, 'frame'> & { readonly section: LayoutProps['section'] }): VNode {
  const { layout } = frame.messages;
  return (
    <nav class="main-navigation" aria-label={layout.navigation}>
      <a href={pagePaths.home} aria-current={section === 'home' ? 'true' : undefined}>
        {layout.home}
      </a>
      <a href={pagePaths.applications} aria-current={section === 'applications' ? 'true' : undefined}>
        {layout.applications}
      </a>
      <a href={pagePaths.account} aria-current={section === 'account' ? 'true' : undefined}>
        {layout.account}
      </a>
      <a href={pagePaths.logout}>{layout.signOut}</a>
    </nav>
  );
}

function LanguageSwitch({ frame }: { readonly frame: Frame }): VNode {
  const { language, layout } = frame.messages;
  return (
    <nav class="languages" aria-label={layout.languages}>
      {frame.languageLinks.map((link) =>
        link.language === language ? (
          <span key={link.language} aria-current="true">
            {link.name}
          </span>
        ) : (
          <a key={link.language} href={link.href} lang={link.language} hreflang={link.language}>
            {link.name}
          </a>
        ),
      )}
    </nav>
  );
}

/** Who runs the service, and its terms; nothing if the operator has set none of them. */
function SiteLinks({ frame: { messages, siteLinks } }: { readonly frame: Frame }): VNode | null {
  const { layout } = messages;
  const links = (['contact', 'terms', 'privacy', 'status'] as const).flatMap((name) => {
    const href = siteLinks[name];
    return href === undefined ? [] : [{ href, text: layout[name] }];
  });
  if (links.length === 0) return null;
  return (
    <nav class="site-links" aria-label={layout.siteLinks}>
      {links.map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}
