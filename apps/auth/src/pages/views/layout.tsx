import { inertText } from '@linnet/ui/inert-text';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';
import { typedFormId } from './field.tsx';
import { Notice } from './notice.tsx';
import { pagePaths } from './page-paths.ts';

interface LayoutProps {
  readonly frame: Frame;
  /** Document title; the service's name is appended. */
  readonly title: string;
  /** `card`: a single question; `area`: a page with navigation; `columns`: the same with columns beside it. */
  readonly kind: 'card' | 'area' | 'columns';
  /** The current item of the navigation. */
  readonly section?: Section;
  /** Omits links that would leave an authorization in progress. */
  readonly isStep?: boolean;
  /** Omits the links to other languages: the page can be loaded only once. */
  readonly isOnce?: boolean;
  /** For search engines, which may list only pages that have one. */
  readonly description?: string;
  /** The address of the page, if it can be requested with parameters that change little. */
  readonly canonical?: string;
  /** The language of title and description, if it is not that of the page. */
  readonly contentLanguage?: 'en';
  /** A stylesheet that only some pages need. */
  readonly extraStyle?: 'posts.css' | undefined;
  readonly children: ComponentChildren;
}

/** The document that every page shares. */
export function Layout(props: LayoutProps): VNode {
  const { frame, kind, isStep = false, isOnce = false, children } = props;
  const { messages } = frame;
  return (
    <html lang={messages.language}>
      <Head {...props} />
      <body class={kind === 'columns' ? 'area columns' : kind}>
        <a class="skip" href="#content">
          {messages.layout.skip}
        </a>
        <Top {...props} />
        <main id="content">
          <Returned frame={frame} />
          {children}
        </main>
        <footer class="foot">
          {isOnce ? null : <LanguageSwitch frame={frame} />}
          <SiteLinks frame={frame} isStep={isStep} />
        </footer>
      </body>
    </html>
  );
}

/** Why a form that was sent is shown again. */
function Returned({ frame: { messages, returned } }: Pick<LayoutProps, 'frame'>): VNode | null {
  if (returned === undefined) return null;
  const { ended, check, lost } = messages.form.returned;
  const { isSessionEnded, typed } = returned;
  return (
    <Notice kind="warning">
      {isSessionEnded ? `${ended} ` : ''}
      {typed === undefined ? lost : <a href={`#${typedFormId}`}>{check}</a>}
    </Notice>
  );
}

function Head({ frame, title, kind, description, canonical, contentLanguage, extraStyle }: LayoutProps): VNode {
  const { assets, serviceName } = frame;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {description === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <meta name="description" content={description} lang={contentLanguage} />
      )}
      <title lang={contentLanguage}>{`${inertText(title)} · ${serviceName}`}</title>
      {canonical === undefined ? null : <link rel="canonical" href={canonical} />}
      <link rel="stylesheet" href={assets.style} />
      {kind === 'columns' ? <link rel="stylesheet" href={assets.extraStyles['guides.css']} /> : null}
      {extraStyle === undefined ? null : <link rel="stylesheet" href={assets.extraStyles[extraStyle]} />}
      <link rel="icon" href={assets.logo} type="image/svg+xml" />
    </head>
  );
}

/** Visitors have a navigation only where they read about the API. */
function Top({ frame, section, isStep = false }: LayoutProps): VNode {
  const hasNavigation = !isStep && frame.viewer !== undefined;
  const isForVisitors = !hasNavigation && (section === 'guides' || section === 'front');
  return (
    <header class={hasNavigation || isForVisitors ? 'top' : 'top alone'}>
      <Brand frame={frame} isLink={!isStep} />
      {hasNavigation ? <Navigation frame={frame} section={section} /> : null}
      {isForVisitors ? <VisitorNavigation frame={frame} section={section} /> : null}
    </header>
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

interface SiteLinksProps {
  readonly frame: Frame;
  readonly isStep: boolean;
}

/** The documentation, and what the operator has set: who runs the service, and its terms. */
function SiteLinks({ frame: { messages, siteLinks }, isStep }: SiteLinksProps): VNode | null {
  const { layout } = messages;
  const own = isStep ? [] : [{ href: pagePaths.guides, text: messages.guides.title }];
  const links = { ...siteLinks, status: siteLinks.status ?? (isStep ? undefined : pagePaths.status) };
  const set = (['contact', 'terms', 'privacy', 'status'] as const).flatMap((name) => {
    const href = links[name];
    return href === undefined ? [] : [{ href, text: layout[name] }];
  });
  const all = [...own, ...set];
  if (all.length === 0) return null;
  return (
    <nav class="site-links" aria-label={layout.siteLinks}>
      {all.map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}

type Section = 'front' | 'home' | 'applications' | 'account' | 'guides' | 'admin';

interface NavigationProps {
  readonly frame: Frame;
  /** The current item. */
  readonly section: Section | undefined;
}

/** Of people who are signed in. On narrow screens, where the links would take several lines, they are in a menu. */
function Navigation(props: NavigationProps): VNode {
  const { layout } = props.frame.messages;
  return (
    <>
      <nav class="main-navigation many" aria-label={layout.navigation}>
        <OwnLinks {...props} />
      </nav>
      <details class="tab-menu">
        <summary>{layout.menu}</summary>
        <nav aria-label={layout.navigation}>
          <OwnLinks {...props} />
        </nav>
      </details>
    </>
  );
}

function OwnLinks({ frame, section }: NavigationProps): VNode {
  const { layout } = frame.messages;
  return (
    <>
      <a href={pagePaths.home} aria-current={section === 'home' ? 'true' : undefined}>
        {layout.home}
      </a>
      <a href={pagePaths.applications} aria-current={section === 'applications' ? 'true' : undefined}>
        {layout.applications}
      </a>
      <a href={pagePaths.account} aria-current={section === 'account' ? 'true' : undefined}>
        {layout.account}
      </a>
      {(frame.viewer?.operatorSince ?? null) === null ? null : (
        <a href={pagePaths.admin} aria-current={section === 'admin' ? 'true' : undefined}>
          {layout.admin}
        </a>
      )}
      <a href={pagePaths.logout}>{layout.signOut}</a>
    </>
  );
}

function VisitorNavigation({ frame, section }: NavigationProps): VNode {
  const { guides, layout } = frame.messages;
  return (
    <nav class="main-navigation" aria-label={layout.navigation}>
      <a href={pagePaths.guides} aria-current={section === 'guides' ? 'true' : undefined}>
        {guides.title}
      </a>
      <a href={pagePaths.reference}>{layout.reference}</a>
      <a href={pagePaths.login}>{layout.signIn}</a>
    </nav>
  );
}
