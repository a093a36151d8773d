import type { AssetAddresses } from '@linnet/ui/assets';
import type { VNode } from 'preact';

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
