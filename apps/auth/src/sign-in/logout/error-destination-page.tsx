import { UserText } from '@linnet/ui/user-text';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { SafeLink } from '../../pages/views/safe-link.tsx';

export interface ErrorDestinationPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string };
  /** The OAuth error, for the application's developer. */
  readonly code: string;
  readonly description: string | undefined;
  /** Host of the redirect URI; its scheme if it has no host (native applications). */
  readonly host: string;
  readonly href: string;
}

/** Stands between an invalid authorization request and the application's site, while nobody is signed in. */
export function ErrorDestinationPage(props: ErrorDestinationPageProps): VNode {
  const { frame, application, code, description = '', host, href } = props;
  const { errors } = frame.messages;
  const texts = errors.destination;
  return (
    <Layout frame={frame} title={errors['bad-authorization'].title} kind="card">
      <h1>{errors['bad-authorization'].title}</h1>
      <p>{texts.text(<UserText strong text={application.name} />, <UserText strong text={host} />)}</p>
      <p class="technical" lang="en">
        <code>{code}</code> <UserText text={description} />
      </p>
      <p>{texts.warning}</p>
      <p class="actions">
        <SafeLink class="button even" href={href} isRedirectUri testId="continue-to-application">
          {texts.continue(<UserText text={host} />)}
        </SafeLink>
      </p>
    </Layout>
  );
}
