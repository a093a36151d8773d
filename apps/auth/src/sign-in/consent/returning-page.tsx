import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';

export interface ReturningPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string };
  /** Host of the redirect URI. */
  readonly host: string;
  readonly redirectUri: string;
  /** The authorization response. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Submits the form, once. If a browser shows the page again from its memory, it is reloaded, and says that the request
 * has ended. Contains no character that HTML escapes (`&`, `<`, `"`), so that the hash is that of this text.
 */
export const returningScript = `
const form = document.querySelector('form');
form.submit();
form.querySelector('button').disabled = true;
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
`;

/** `response_mode=form_post`: sends the person and the response to the application. */
export function ReturningPage({ frame, application, host, redirectUri, fields }: ReturningPageProps): VNode {
  const { returning } = frame.messages.consent;
  return (
    <Layout frame={frame} title={returning.title(inertText(application.name))} kind="card" isStep isOnce>
      <h1>{returning.heading(<UserText text={application.name} />)}</h1>
      <p>{returning.text(<UserText strong text={host} />)}</p>
      <div class="actions">
        <ResponseForm redirectUri={redirectUri} fields={fields}>
          {returning.submit}
        </ResponseForm>
      </div>
      <script>{returningScript}</script>
    </Layout>
  );
}

interface ResponseFormProps {
  /** With http or https. */
  readonly redirectUri: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Not the main action of its page, which warns of it. */
  readonly isEven?: boolean;
  /** The button's label. */
  readonly children: ComponentChildren;
}

/**
 * Posts an authorization response to the application. Without a CSRF token, which is ours alone. Browsers must not
 * restore values of an earlier response.
 */
export function ResponseForm({ redirectUri, fields, isEven = false, children }: ResponseFormProps): VNode {
  return (
    <form method="post" action={redirectUri} autocomplete="off">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={isEven ? 'button even' : 'button'} data-testid="continue-to-application">
        {children}
      </button>
    </form>
  );
}

/** The host in ASCII, so that no letter can look like another; the scheme if there is no host (native applications). */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return ['https:', 'http:'].includes(protocol) ? host : protocol.slice(0, -1);
}
