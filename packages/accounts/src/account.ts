/** An account, without its password hash: the hash never leaves this package. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** When the person confirmed the address by opening a link sent to it. */
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
  /** File name of the photo (table `media`). */
  readonly avatar: string | null;
  readonly createdAt: Date;
  /** Set when the account is deleted; its owner or an operator can restore it for 14 days. */
  readonly deletedAt: Date | null;
  /** Since when the account is an operator. */
  readonly operatorSince: Date | null;
}

/** The input of a registration, already validated against the contract (`parseRegistration`). */
export interface Registration {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly password: string;
  /** Generated from the first and last name if absent. */
  readonly username?: string | undefined;
  /** Language tag for pages and mail; `en` if absent. */
  readonly language?: string | undefined;
  /** A provider proved the address. */
  readonly isEmailProven?: boolean;
}

/** A unique field of a registration. */
export type TakenField = 'email' | 'username';

/** The account cannot be created: each of `fields` is taken by another account or reserved. */
export class AccountTaken extends Error {
  override readonly name = 'AccountTaken';
  readonly fields: readonly TakenField[];

  constructor(fields: readonly TakenField[], options?: ErrorOptions) {
    super(`already taken: ${fields.join(', ')}`, options);
    this.fields = fields;
  }
}
