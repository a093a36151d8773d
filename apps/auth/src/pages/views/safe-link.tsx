import type { ComponentChildren, VNode } from 'preact';

interface SafeLinkProps {
  /** Untrusted URL. */
  readonly href: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Opens in a new tab. */
  readonly isNewTab?: boolean;
}

/** A link if the URL is http or https, otherwise plain text: no `javascript:`, no `data:` (checklist UI8). */
export function SafeLink({ href, children, class: className, isNewTab = false }: SafeLinkProps): VNode {
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return <span>{children}</span>;
  return (
    <a href={url.href} rel="noopener noreferrer nofollow" class={className} target={isNewTab ? '_blank' : undefined}>
      {children}
    </a>
  );
}
