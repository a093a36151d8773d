import type { ComponentChildren, VNode } from 'preact';

interface SafeLinkProps {
  /** An address that a stranger may have given. */
  readonly href: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Leaves the page open that it stands on. */
  readonly isNewTab?: boolean;
}

/** A link when the address is http or https, plain text otherwise: no `javascript:`, no `data:` (checklist UI8). */
export function SafeLink({ href, children, class: className, isNewTab = false }: SafeLinkProps): VNode {
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return <span>{children}</span>;
  return (
    <a href={url.href} rel="noopener noreferrer nofollow" class={className} target={isNewTab ? '_blank' : undefined}>
      {children}
    </a>
  );
}
