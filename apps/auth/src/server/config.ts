import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import {
  mailFromVariable,
  mediaFetchVariables,
  onOff,
  readEnvironment,
  registrationProofVariable,
  securityContactVariable,
  smtpRequireTlsVariable,
  smtpUrlVariable,
  toTokenBounds,
  toUnregisteredClients,
  tokenBoundVariables,
  unregisteredClientVariables,
} from '@linnet/service/config/environment';
import type { UnregisteredClients } from '@linnet/service/config/environment';
import type { Environment } from '@linnet/service/config/environment-values';
import { serverVariables, toProcessConfig, toServiceSettings } from '@linnet/service/config/server-config';
import type { ProcessConfig, ServiceConfig, ServiceSettings } from '@linnet/service/config/server-config';
import { signInProvidersVariable } from '@linnet/service/config/variables';
import type { SignInProvider } from '@linnet/service/config/variables';
import { siteLinkVariables, toSiteLinks } from '@linnet/service/http/site-links';
import type { SiteLinks } from '@linnet/service/http/site-links';

import { toMailConfig } from '../mail/mail-config.ts';
import type { MailConfig } from '../mail/mail-config.ts';

export interface AuthConfig extends ServiceConfig, UnregisteredClients {
  readonly mail: MailConfig;
  /** `host:port` addresses on private networks to which logout tokens may be sent. */
  readonly mediaFetchAllow: readonly string[];
  readonly tokenBounds: TokenBounds;
  /** Whether the registration page asks for a proof of work. */
  readonly registrationProof: boolean;
  /** Whether there is a sitemap of public profiles. */
  readonly sitemap: boolean;
  /** Whether the service serves its web client. */
  readonly webClient: boolean;
  /** A URI for reports of vulnerabilities. */
  readonly securityContact: string | undefined;
  readonly siteLinks: SiteLinks;
  /** Where people can sign in, besides here. */
  readonly signInProviders: readonly SignInProvider[];
}

/** The configuration of the authorization server as its own process. */
export interface AuthProcessConfig extends ProcessConfig {
  readonly app: ServiceSettings &
    Pick<
      AuthConfig,
      | 'mail'
      | 'mediaFetchAllow'
      | 'securityContact'
      | 'siteLinks'
      | 'dynamicRegistration'
      | 'registrationsPerHour'
      | 'tokenBounds'
      | 'registrationProof'
      | 'sitemap'
      | 'webClient'
      | 'clientIdMetadataDocuments'
      | 'signInProviders'
    >;
}

const defaultPort = 3001;

/** @throws ConfigurationError that lists every problem. */
export function readAuthConfig(env: Environment = process.env): AuthProcessConfig {
  const variables = readEnvironment(authVariables(env), env);
  const settings = toServiceSettings(variables);
  const { baseUrl, dataDir } = settings;
  const mail = toMailConfig({
    smtpUrl: variables.SMTP_URL,
    smtpRequireTls: variables.SMTP_REQUIRE_TLS,
    from: variables.MAIL_FROM,
    dataDir,
    baseUrl,
  });
  const app = {
    ...settings,
    mail,
    mediaFetchAllow: variables.MEDIA_FETCH_ALLOW,
    ...toUnregisteredClients(variables),
    tokenBounds: toTokenBounds(variables),
    registrationProof: variables.REGISTRATION_PROOF,
    sitemap: variables.SITEMAP,
    webClient: variables.CLIENT,
    securityContact: variables.SECURITY_CONTACT,
    siteLinks: toSiteLinks(variables),
    signInProviders: variables.SIGN_IN_PROVIDERS ?? [],
  };
  return { app, ...toProcessConfig(variables) };
}

/** The variables of the authorization server. */
export function authVariables(env: Environment) {
  return serverVariables(env, defaultPort).extend({
    SMTP_URL: smtpUrlVariable.optional(),
    SMTP_REQUIRE_TLS: smtpRequireTlsVariable,
    ...mediaFetchVariables(env),
    MAIL_FROM: mailFromVariable.optional(),
    ...unregisteredClientVariables(env),
    ...tokenBoundVariables,
    REGISTRATION_PROOF: registrationProofVariable(env),
    SITEMAP: onOff('on'),
    CLIENT: onOff('on'),
    SECURITY_CONTACT: securityContactVariable.optional(),
    ...siteLinkVariables,
    SIGN_IN_PROVIDERS: signInProvidersVariable,
  });
}
