import type { VNode } from 'preact';

import { pagePaths } from './page-paths.ts';

const size = 56;

/** The picture of an application, from our own address; nothing where there is none. Its name stands beside it. */
export function Logo({ name }: { readonly name: string | undefined }): VNode | null {
  if (name === undefined) return null;
  return <img class="logo" src={pagePaths.logo(name)} alt="" width={size} height={size} />;
}
