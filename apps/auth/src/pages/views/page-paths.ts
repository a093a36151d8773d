import type { ReportSubject } from '@linnet/contract/report';

/** Paths of all pages. A form is posted to its page's own path. */
export const pagePaths = {
  home: '/',
  /** The web client; its pages are below it. */
  client: '/home',
  login: '/login',
  secondFactor: '/login/second-factor',
  /** Continues a sign-in with a provider of the operator. */
  upstream: '/login/provider',
  /** Where the provider sends the browser back, and where it says that a session ended there. */
  upstreamCallback: (id: string) => `/sign-in/with/${id}/callback`,
  upstreamLogout: (id: string) => `/sign-in/with/${id}/logout`,
  /** Restores a deleted account. */
  restoration: '/login/restore',
  /** Confirms the identity of the account that is signed in. */
  reauthenticate: '/reauthenticate',
  register: '/register',
  logout: '/logout',
  /** Sign-out at the request of an application, and the form that confirms it. */
  endSession: '/oauth/logout',
  endSessionConfirm: '/oauth/logout/confirm',
  device: '/oauth/device',
  applications: '/developer',
  createApplication: '/developer/applications/new',
  testPeople: '/developer/test-people',
  apis: '/developer/apis',
  createApi: '/developer/apis/new',
  api: (id: number) => `/developer/apis/${String(id)}`,
  application: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}`,
  applicationCredentials: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/credentials`,
  applicationSettings: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/settings`,
  applicationActivity: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/activity`,
  applicationUsageFile: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/usage.csv`,
  applicationUsage: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/usage`,
  applicationWebhooks: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/webhooks`,
  applicationHistory: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/history`,
  /** Pauses or deletes the application. */
  applicationDanger: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/danger`,
  applicationProfile: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/appearance`,
  applicationPlayground: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}/playground`,
  /** Redirect URI of the playground. */
  playgroundCallback: '/developer/playground/callback',
  /** Public logo of an application. */
  logo: (name: string) => `/logos/${name}`,
  /** Served by the API server. */
  reference: '/api/v2.0/docs',
  /** The documentation. */
  guides: '/developers',
  guide: (slug: string) => (slug === 'overview' ? '/developers' : `/developers/${slug}`),
  guideMarkdown: (slug: string) => (slug === 'overview' ? '/developers.md' : `/developers/${slug}.md`),
  guideSearch: '/developers/search',
  /** The guides for language models (https://llmstxt.org). */
  guidesForModels: '/llms.txt',
  /** The SDKs: what `npm install` takes, one file for pages without a bundler, and what `pip install` takes, with its version. */
  sdkArchive: '/developers/sdk/linnet-sdk.tgz',
  sdkFile: '/developers/sdk/linnet-sdk.js',
  sdkWheel: '/developers/sdk/linnet_sdk-1.0.0-py3-none-any.whl',
  /** What the command `linnet-sdk listen` asks for. */
  webhookEvents: '/developers/webhooks/events',
  status: '/status',
  /** The same for programs. */
  statusFile: '/status.json',
  problems: '/problems',
  problem: (code: string) => `/problems/${code}`,
  /** The page on which a person who is signed in follows the account. */
  follow: (username: string) => `/follow/${encodeURIComponent(username)}`,
  /** The page on which a person who is signed in comments on the post. */
  reply: (postId: number) => `/reply/${String(postId)}`,
  /** The page on which a person who is signed in reports something. */
  report: (type: ReportSubject, id: number) => `/report/${type}/${String(id)}`,
  /** For operators only. */
  admin: '/admin',
  adminConfirm: '/admin/confirm',
  adminReports: '/admin/reports',
  adminReport: (caseId: number) => `/admin/reports/${String(caseId)}`,
  adminRegistrations: '/admin/registrations',
  adminBlocks: '/admin/blocks',
  adminPeople: '/admin/people',
  adminChosen: '/admin/people/chosen',
  adminPerson: (accountId: number) => `/admin/people/${String(accountId)}`,
  adminApplications: '/admin/applications',
  adminChosenApplications: '/admin/applications/chosen',
  adminApplication: (clientId: string) => `/admin/applications/${encodeURIComponent(clientId)}`,
  adminAudit: '/admin/audit',
  account: '/account',
  profile: '/account/profile',
  username: '/account/username',
  posts: '/account/posts',
  notifications: '/account/notifications',
  /** Only if the operator lets people invite. */
  invitations: '/account/invitations',
  followers: '/account/followers',
  /** Word filters, mutes and blocks. */
  hidden: '/account/hidden',
  export: '/account/export',
  import: '/account/import',
  deletion: '/account/delete',
  connectedApplications: '/account/applications',
  connectedApplication: (clientId: string) => `/account/applications/${encodeURIComponent(clientId)}`,
  sessions: '/account/sessions',
  password: '/account/password',
  activity: '/account/activity',
  /** Ends all other access after something that the person did not do. */
  notMe: '/account/activity/not-me',
  security: '/account/security',
  newPasskey: '/account/security/new-passkey',
  /** Where a person who is signed in comes back from a provider. */
  linkProvider: '/account/security/provider',
  authenticator: '/account/security/authenticator',
  email: '/account/email',
  verifyEmail: '/verify-email',
  forgotPassword: '/password/forgot',
  resetPassword: '/password/reset',
} as const;
