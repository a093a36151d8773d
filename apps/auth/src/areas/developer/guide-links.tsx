import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { ProtocolSettings } from '@linnet/applications/settings/protocol-settings';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';

/** The settings that decide which guides help. */
export type GuidedSettings = Pick<
  ProtocolSettings,
  'strict' | 'grantTypes' | 'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens'
>;

interface GuidedApplication {
  readonly protocol: GuidedSettings;
  /** False: it is public or native, or authenticates with its own keys. */
  readonly hasSecret: boolean;
  readonly type: 'confidential' | 'public' | 'native';
}

interface GuideLinksProps {
  readonly frame: Frame;
  readonly application: GuidedApplication;
}

/** The guides for what this application can do. */
export function GuideLinks({ frame, application }: GuideLinksProps): VNode {
  const { guideLinks: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.title}</h2>
      <ul>
        {findGuides(application).map((slug) => (
          <li key={slug}>
            <a href={pagePaths.guide(slug)}>{texts.links[slug]}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Slug = keyof Frame['messages']['developer']['guideLinks']['links'];

/** In the order in which they are useful. */
export function findGuides({ protocol, hasSecret, type }: GuidedApplication): readonly Slug[] {
  const { strict, grantTypes, requirePushedAuthorizationRequests, dpopBoundAccessTokens } = protocol;
  const hasKeys = type === 'confidential' && !hasSecret;
  const fits: Readonly<Record<Slug, boolean>> = {
    'sign-in': grantTypes.includes('authorization_code'),
    backend: grantTypes.includes('client_credentials'),
    devices: grantTypes.includes(deviceGrantType),
    tokens: grantTypes.includes('refresh_token'),
    'pushed-requests': strict || hasKeys || requirePushedAuthorizationRequests,
    dpop: strict || dpopBoundAccessTokens,
    'going-live': true,
  };
  // Object.keys returns string[].
  return (Object.keys(fits) as readonly Slug[]).filter((slug) => fits[slug]);
}
