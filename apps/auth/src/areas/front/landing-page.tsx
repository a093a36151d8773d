import type { VNode } from 'preact';

import { CopyableBlock, CopyScript } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface LandingPageProps {
  readonly frame: Frame;
  /** The public origin, for the commands. */
  readonly baseUrl: string;
}

/** What the service is, for visitors. */
export function LandingPage({ frame, baseUrl }: LandingPageProps): VNode {
  const { messages, serviceName } = frame;
  const { landing } = messages.front;
  const lead = landing.lead(serviceName);
  return (
    <Layout frame={frame} title={landing.title} kind="area" section="front" description={lead}>
      <div class="hero">
        <div>
          <h1>{landing.title}</h1>
          <p class="lead">{lead}</p>
          <p class="actions">
            <a class="button" href={pagePaths.register}>
              {messages.signIn.register.title}
            </a>
            <a class="button quiet-button" href={pagePaths.login}>
              {messages.layout.signIn}
            </a>
          </p>
        </div>
        <img src={frame.assets.logo} alt="" width={176} height={176} />
      </div>
      <section class="build">
        <h2>{landing.build.title}</h2>
        <p>{landing.build.text}</p>
        <CopyableBlock frame={frame} testId="commands">
          {commands(landing.build, baseUrl)}
        </CopyableBlock>
        <p>{landing.build.next}</p>
        <p class="actions">
          <a class="button quiet-button" href={pagePaths.createApplication}>
            {messages.developer.list.create}
          </a>
          <a href={pagePaths.guide('quickstart')}>{messages.guides.title}</a>
          <a href={pagePaths.reference}>{messages.layout.reference}</a>
          {frame.siteLinks.exampleClient !== undefined && (
            <a href={frame.siteLinks.exampleClient}>{landing.build.exampleClient}</a>
          )}
        </p>
      </section>
      <CopyScript frame={frame} />
    </Layout>
  );
}

/** They work as they are, without an account. */
function commands(texts: Frame['messages']['front']['landing']['build'], baseUrl: string): string {
  return [
    `# ${texts.metadata}`,
    `curl ${baseUrl}/.well-known/oauth-authorization-server`,
    `# ${texts.document}`,
    `curl ${baseUrl}/api/v2.0/openapi.json`,
    `# ${texts.call}`,
    `curl -i ${baseUrl}/api/v2.0/feed`,
  ].join('\n');
}
