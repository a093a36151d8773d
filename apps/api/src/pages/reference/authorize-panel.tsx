import { scopes } from '@linnet/contract/scopes';
import type { VNode } from 'preact';

export interface ExplorerClient {
  readonly clientId: string;
  readonly redirectUri: string;
}

/**
 * Where a person gets an access token for the requests of the page. `assets/reference.js` shows it and keeps the token in
 * memory only.
 */
export function AuthorizePanel({ explorer }: { readonly explorer?: ExplorerClient }): VNode {
  return (
    <>
      <form
        class="panel authorize"
        id="authorize"
        aria-labelledby="authorize-title"
        data-client-id={explorer?.clientId}
        data-redirect-uri={explorer?.redirectUri}
        hidden
      >
        <h2 id="authorize-title">Try the API</h2>
        <p class="quiet">
          {explorer === undefined
            ? 'Paste an access token of your application. It stays in this window and is forgotten when you close it.'
            : 'Authorize the API Explorer to act for your account. The token stays in this window and is forgotten when you close it.'}
        </p>
        {explorer === undefined ? null : <ScopeChoices />}
        <details open={explorer === undefined}>
          <summary>Use a token of your application</summary>
          <label>
            <span>Access token</span>
            <input name="token" type="password" autocomplete="off" spellcheck={false} />
          </label>
        </details>
        <output id="authorized" />
      </form>
      <noscript>
        <p>To send requests from this page, allow scripts. Everything else works without them.</p>
      </noscript>
    </>
  );
}

function ScopeChoices(): VNode {
  return (
    <>
      <fieldset>
        <legend>Scopes</legend>
        {scopes
          .filter((scope) => !scope.endsWith(':read'))
          .map((scope) => (
            <label key={scope} class="choice">
              <input type="checkbox" name="scope" value={scope} checked />
              <span>{scope}</span>
            </label>
          ))}
      </fieldset>
      <p>
        <button class="button" type="submit">
          Authorize
        </button>
      </p>
    </>
  );
}
