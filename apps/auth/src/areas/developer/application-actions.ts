/** The hidden field `action` tells which form of an application's page was sent. */
export const applicationActions = {
  save: 'save',
  addSecret: 'add-secret',
  /** With the field `secret`, the id, and one for its name. */
  renameSecret: 'rename-secret',
  /** With the field `secret`, the id. */
  retireSecret: 'retire-secret',
  pause: 'pause',
  resume: 'resume',
  /** With the field `confirm`, the name. */
  delete: 'delete',
} as const;
