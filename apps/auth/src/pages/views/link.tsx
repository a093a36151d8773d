import { isPlainScheme, isReversedDomain, linkNames } from '@linnet/applications/application/links';
import type { Links } from '@linnet/applications/application/links';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';

export function hasLinks(links: Links): boolean {
  return linkNames.some((name) => links[name] !== undefined);
}

/** Links of an application's developer, each shown by its host. */
export function ApplicationLinks({ frame, links }: { readonly frame: Frame; readonly links: Links }): VNode {
  const { profile: texts } = frame.messages.developer;
  return (
    <>
      {linkNames.map((name) => {
        const href = links[name];
        if (href === undefined) return null;
        return (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>
              <SafeLink href={href} isNewTab>
                <UserText text={URL.parse(href)?.host ?? href} />
              </SafeLink>
            </dd>
          </div>
        );
      })}
    </>
  );
}

interface PageLinkProps {
  readonly href: string;
  readonly label: ComponentChildren;
  /** A short fact beside the label, such as a count. */
  readonly tag?: ComponentChildren;
  readonly text: string;
  /** Below the text. */
  readonly children?: ComponentChildren;
}

/** A row of a list of pages. */
export function PageLink({ href, label, tag, text, children }: PageLinkProps): VNode {
  return (
    <li class="row">
      <h2>
        <a href={href}>{label}</a> {tag === undefined ? null : <span class="tag">{tag}</span>}
      </h2>
      <p class="quiet small">{text}</p>
      {children}
    </li>
  );
}

interface SafeLinkProps {
  /** Untrusted URL. */
  readonly href: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Opens in a new tab. */
  readonly isNewTab?: boolean;
  /** A registered redirect URI, whose scheme may be a private-use scheme (RFC 8252 §7.1). */
  readonly isRedirectUri?: boolean;
  readonly testId?: string;
}

/** A link if the URL is http or https, otherwise plain text: no `javascript:`, no `data:` (checklist UI8). */
export function SafeLink(props: SafeLinkProps): VNode {
  const { href, children, class: className, isNewTab = false, isRedirectUri = false, testId } = props;
  const url = URL.parse(href);
  if (url === null || !(isWeb(url) || (isRedirectUri && hasPrivateScheme(url)))) return <span>{children}</span>;
  return (
    <a
      href={url.href}
      rel="noopener noreferrer nofollow"
      class={className}
      target={isNewTab ? '_blank' : undefined}
      data-testid={testId}
    >
      {children}
    </a>
  );
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function hasPrivateScheme({ protocol }: URL): boolean {
  return isReversedDomain(protocol) || isPlainScheme(protocol);
}

/** A text of the documentation in which names of parameters and headers are in backticks. */
export function WithCode({ text }: { readonly text: string }): VNode {
  // Every second part was between two backticks.
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>;
}
