import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { linkNames } from '@linnet/applications/application/links';
import type { Links } from '@linnet/applications/application/links';
import type { Frame } from './frame.ts';
import { SafeLink } from './safe-link.tsx';

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
