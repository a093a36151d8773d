/** An account as the rooms inside pass it around; the password hash never leaves this package. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** When its owner proved to read mail there. */
  readonly emailVerifiedAt: Date | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly description: string;
  readonly country: string;
  readonly language: string;
  readonly verified: boolean;
  readonly followersCount: number;
  readonly followingCount: number;
  readonly postsCount: number;
  /** The name of its photo (table `media`). */
  readonly avatar: string | null;
  readonly createdAt: Date;
  /** Set while an operator can still restore it. */
  readonly deletedAt: Date | null;
}

/** What a person gives to register; already checked against the contract's rules. */
export interface Registration {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly password: string;
  /** Generated from the names when absent. */
  readonly username?: string | undefined;
  /** In which the person reads pages and mail; English when absent. */
  readonly language?: string | undefined;
}

/** Fields of a registration that another account has already. */
export type TakenField = 'email' | 'username';

/** The account cannot be created: each of `fields` belongs to another account or is reserved. */
export class AccountTaken extends Error {
  override readonly name = 'AccountTaken';
  readonly fields: readonly TakenField[];

  constructor(fields: readonly TakenField[], options?: ErrorOptions) {
    super(`taken: ${fields.join(', ')}`, options);
    this.fields = fields;
  }
}
