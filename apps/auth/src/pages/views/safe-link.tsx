import { isPlainScheme, isReversedDomain } from '@linnet/applications/application/links';
import type { ComponentChildren, VNode } from 'preact';

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
