/** Values of the hidden field `action`, which says which form of an application's page was sent. */
export const applicationActions = {
  save: 'save',
  addSecret: 'add-secret',
  /** With the field `secret`, the id, and a field for the name. */
  renameSecret: 'rename-secret',
  /** With the field `secret`, the id. */
  retireSecret: 'retire-secret',
  /** With the field `keys`, a URL or a JWK Set. */
  setKeys: 'set-keys',
  setSecret: 'set-secret',
  pause: 'pause',
  resume: 'resume',
  /** With the field `confirm`, the name. */
  delete: 'delete',
} as const;
