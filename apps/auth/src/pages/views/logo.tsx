import type { VNode } from 'preact';

import { pagePaths } from './page-paths.ts';

const size = 56;

/** An application's logo, decorative because its name is next to it. Null without one. */
export function Logo({ name }: { readonly name: string | undefined }): VNode | null {
  if (name === undefined) return null;
  return <img class="logo" src={pagePaths.logo(name)} alt="" width={size} height={size} />;
}
