import type { AssetAddresses } from '@linnet/ui/assets';
import { renderToString } from 'preact-render-to-string';

import { CallbackView } from './callback-view.tsx';
import { ReferenceView } from './reference-view.tsx';
import type { ReferenceViewProps } from './reference-view.tsx';

export interface ReferencePaths extends Pick<
  ReferenceViewProps,
  'apiUrl' | 'documentPath' | 'generatorsPath' | 'collectionPath'
> {
  readonly pagePath: string;
}

export function renderReference(props: ReferenceViewProps): string {
  return `<!doctype html>${renderToString(<ReferenceView {...props} />)}`;
}

/** The page that the API Explorer's authorization response arrives at. */
export function renderCallback(props: { readonly assets: AssetAddresses; readonly referencePath: string }): string {
  return `<!doctype html>${renderToString(<CallbackView {...props} />)}`;
}
