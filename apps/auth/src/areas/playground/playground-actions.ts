/** The hidden field `action` tells which form of the playground was sent. */
export const playgroundActions = {
  begin: 'begin',
  token: 'token',
  call: 'call',
  refresh: 'refresh',
  revoke: 'revoke',
} as const;
