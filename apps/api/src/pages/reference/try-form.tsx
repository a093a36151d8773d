import { scopes } from '@linnet/contract/scopes';
import type { AssetAddresses } from '@linnet/ui/assets';
import type { VNode } from 'preact';

import type { ReferenceOperation } from './reference-model.ts';
import type { Field } from './schema-fields.ts';

/**
 * Sends the request from the page (`assets/reference.js`, which shows the form). Optional parameters start empty, and empty
 * ones are not sent. Ids start empty, too: those of the examples exist nowhere.
 */
export function TryForm({ operation }: { readonly operation: ReferenceOperation }): VNode {
  const { id, method, url, title, parameters } = operation;
  return (
    <details class="try" hidden>
      <summary>Try it</summary>
      <form data-try={id} data-method={method} data-url={url} aria-label={`Try: ${title}`}>
        {parameters.map((field) => (
          <ParameterField key={field.name} field={field} />
        ))}
        {operation.takesIdempotencyKey ? (
          <label>
            <span>
              Idempotency-Key <span class="quiet">optional header</span>
            </span>
            <input name="header:Idempotency-Key" maxLength={255} autocomplete="off" />
          </label>
        ) : null}
        <p>
          <button class="button" type="submit">
            Send
          </button>
        </p>
        <output class="result" />
      </form>
    </details>
  );
}

/** How the script sends what was typed; other types are text. */
const kinds: Readonly<Record<string, string>> = { integer: 'number', boolean: 'flag' };

function ParameterField({ field }: { readonly field: Field }): VNode {
  const { name, type, isRequired, isFile, values } = field;
  const [only] = values.length === 1 ? values : [];
  if (only !== undefined) return <input type="hidden" name={`text:${name}`} value={only} />;
  const kind = kinds[type] ?? 'text';
  const entered = { name: `${kind}:${name}`, value: firstValueOf(field), required: isRequired && !isFile };
  return (
    <label>
      <span>
        {name} <span class="quiet">{isRequired ? 'required' : 'optional'}</span>
      </span>
      {name === 'password' ? (
        <input type="password" autocomplete="off" {...entered} />
      ) : (
        <input
          inputMode={inputModes[kind] ?? 'text'}
          autocomplete="off"
          placeholder={placeholders[kind] ?? ''}
          {...entered}
        />
      )}
      {isFile ? <input type="file" name={`file:${name}`} aria-label={`${name} as a file`} accept={accepted} /> : null}
    </label>
  );
}

const accepted = 'image/png,image/jpeg';
const inputModes: Readonly<Record<string, 'numeric'>> = { number: 'numeric' };
const placeholders: Readonly<Record<string, string>> = { flag: 'true or false' };

/** The example of a required text; a person enters everything else. */
function firstValueOf({ name, isRequired, isFile, example }: Field): string {
  return isRequired && !isFile && name !== 'password' && typeof example === 'string' ? example : '';
}

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
          .filter((scope) => !scope.includes(':'))
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

/** Where the authorization response of the API Explorer arrives: a window of its own, which hands it over and closes. */
export function CallbackView({
  assets,
  referencePath,
}: {
  readonly assets: AssetAddresses;
  readonly referencePath: string;
}): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>Back to the API reference</title>
        <link rel="stylesheet" href={assets.style} />
      </head>
      <body class="reference">
        <main id="content">
          <h1>Back to the API reference</h1>
          <p>
            You can close this window. If the reference is no longer open, <a href={referencePath}>open it</a> and
            select “Authorize” again.
          </p>
        </main>
        <script src={assets.scripts['callback.js']} type="module" />
      </body>
    </html>
  );
}
