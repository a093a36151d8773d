import { mediaFetchVariables, onOff, readEnvironment } from '@linnet/service/config/environment';
import type { Environment } from '@linnet/service/config/environment-values';
import { replicaVariables } from '@linnet/service/config/variables';
import type { Secret } from '@linnet/service/config/secret';
import { serverVariables, toProcessConfig, toServiceSettings } from '@linnet/service/config/server-config';
import type { ProcessConfig, ServiceConfig, ServiceSettings } from '@linnet/service/config/server-config';
import { siteLinkVariables, toSiteLinks } from '@linnet/service/http/site-links';
import type { SiteLinks } from '@linnet/service/http/site-links';
import { z } from 'zod';

import type { ResponseChecks } from './http/reply.ts';

export interface ApiConfig extends ServiceConfig {
  /** `host:port` addresses on private networks from which media may be fetched. */
  readonly mediaFetchAllow: readonly string[];
  /** Whether public pages load the web client for people who are signed in to it (CLIENT). */
  readonly webClient: boolean;
  /** Whether the service fetches pages that posts link to (LINK_CARDS). */
  readonly linkCards: boolean;
  /** In the footer of public pages. */
  readonly siteLinks: SiteLinks;
  /** `sample` if absent; tests check `every` response. */
  readonly responseChecks?: ResponseChecks;
}

/** The configuration of the API server as its own process. */
interface ApiProcessConfig extends ProcessConfig {
  readonly app: ServiceSettings & Pick<ApiConfig, 'mediaFetchAllow' | 'siteLinks' | 'webClient' | 'linkCards'>;
  readonly jwksUrl: string;
  readonly replicaUrls: readonly Secret[];
}

const defaultPort = 3002;

/** @throws ConfigurationError that lists every problem. */
export function readApiConfig(env: Environment = process.env): ApiProcessConfig {
  const variables = readEnvironment(apiVariables(env), env);
  return {
    app: {
      ...toServiceSettings(variables),
      mediaFetchAllow: variables.MEDIA_FETCH_ALLOW,
      siteLinks: toSiteLinks(variables),
      webClient: variables.CLIENT,
      linkCards: variables.LINK_CARDS,
    },
    jwksUrl: variables.JWKS_URL ?? `${variables.BASE_URL}/oauth/jwks`,
    replicaUrls: variables.DATABASE_REPLICA_URL ?? [],
    ...toProcessConfig(variables),
  };
}

/** The variables of the API server. */
export function apiVariables(env: Environment) {
  return serverVariables(env, defaultPort).extend({
    ...mediaFetchVariables(env),
    ...siteLinkVariables,
    ...replicaVariables(env),
    CLIENT: onOff('on'),
    LINK_CARDS: onOff('on'),
    JWKS_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  });
}
