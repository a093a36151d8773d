/** What a block of registrations can be about. */
export const blockKinds = ['mail_domain', 'mail_server', 'network', 'word'] as const;
export type BlockKind = (typeof blockKinds)[number];

/** What a block does, the gravest first: nobody registers; an operator decides; operators see a mark. */
export const blockActs = ['refuse', 'approve', 'mark'] as const;
export type BlockAct = (typeof blockActs)[number];

/** What operators see at a registration: the kind of the block that matched, that the page got no proof of work, or that who invited is limited. */
export const registrationMarks = [...blockKinds, 'no_proof', 'limited_inviter'] as const;
export type RegistrationMark = (typeof registrationMarks)[number];
