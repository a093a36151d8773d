/** Where the pages are. Each form is sent to the address of its own page. */
export const pagePaths = {
  login: '/login',
  /** Asks for the password again, then leads to `returnTo`. */
  confirmation: (returnTo: string) => `/login?${new URLSearchParams({ confirm: '1', return_to: returnTo }).toString()}`,
  register: '/register',
  logout: '/logout',
  device: '/oauth/device',
  applications: '/developer',
  createApplication: '/developer/applications/new',
  application: (clientId: string) => `/developer/applications/${encodeURIComponent(clientId)}`,
  account: '/account',
  profile: '/account/profile',
  username: '/account/username',
  followers: '/account/followers',
  export: '/account/export',
  deletion: '/account/delete',
  connectedApplications: '/account/applications',
  sessions: '/account/sessions',
  password: '/account/password',
} as const;
