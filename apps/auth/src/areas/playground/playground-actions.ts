/** Values of the hidden field `action`, which says which form of the page was sent. */
export const playgroundActions = {
  begin: 'begin',
  token: 'token',
  call: 'call',
  refresh: 'refresh',
  revoke: 'revoke',
} as const;
