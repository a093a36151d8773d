import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { SafeLink } from '../../pages/views/link.tsx';
import { ResponseForm } from '../consent/response-form.tsx';

export interface ErrorDestinationPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string };
  /** The OAuth error, for the application's developer. */
  readonly code: string;
  readonly description: string | undefined;
  /** Host of the redirect URI; its scheme if it has no host (native applications). */
  readonly host: string;
  /** The redirect URI; without `fields`, it contains the error. */
  readonly href: string;
  /** The error, if a form posts it. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** Stands between an invalid authorization request and the application's site, while nobody is signed in. */
export function ErrorDestinationPage(props: ErrorDestinationPageProps): VNode {
  const { frame, application, code, description = '', host, href, fields } = props;
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
      <div class="actions">
        {fields === undefined ? (
          <SafeLink class="button even" href={href} isRedirectUri testId="continue-to-application">
            {texts.continue(<UserText text={host} />)}
          </SafeLink>
        ) : (
          <ResponseForm redirectUri={href} fields={fields} isEven>
            {texts.continue(<UserText text={host} />)}
          </ResponseForm>
        )}
      </div>
    </Layout>
  );
}
