import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AdditionalRedirectUri } from '../../protocol/client/client-store.ts';
import { ownerHasRun } from './run-store.ts';

/** The redirect URI of the playground: valid for an application while its owner has a run of it, and only in the owner's browser. */
export function playgroundRedirectUri(baseUrl: string): AdditionalRedirectUri {
  return { uri: `${baseUrl}${pagePaths.playgroundCallback}`, condition: ownerHasRun };
}
