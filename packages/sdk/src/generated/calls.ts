// Written by `pnpm openapi` from the rows of the contract; not to be edited.
import type { CallDescription, CallOptions, List } from '../call.ts';

/** Stable names of what the API refuses; each has one status. */
export type ErrorCode =
  | 'invalid-parameter'
  | 'malformed-body'
  | 'token-required'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'user-context-required'
  | 'wrong-password'
  | 'prefetch-refused'
  | 'media-not-usable'
  | 'protected-account'
  | 'not-owner'
  | 'not-found'
  | 'unknown-endpoint'
  | 'unknown-version'
  | 'method-not-allowed'
  | 'accept-required'
  | 'email-taken'
  | 'username-taken'
  | 'idempotency-in-progress'
  | 'media-attached'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'idempotency-key-reused'
  | 'image-refused'
  | 'rate-limited'
  | 'overloaded'
  | 'internal-error'
  | 'unavailable'
  | 'storage-full';

/** What an application may ask people for. */
export type Scope = 'users' | 'posts' | 'email' | 'users:read' | 'posts:read';

/** A post in a list. */
export interface ListedPost {
  /** Id of the post. */
  readonly id: number;
  /** Text of the post, as it was written. */
  readonly text: string;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  /** Address of the post's public page. */
  readonly link: string;
  readonly user: Account;
  /** What is attached to the post. */
  readonly media: {
    readonly image: string | null;
    /** The file in full size; empty without media. */
    readonly files: ReadonlyArray<{
      /** Name that the service gave the file. */
      readonly name: string;
      /** In bytes. */
      readonly filesize: number;
      /** Address of the file in full size. */
      readonly download: string;
    }>;
  };
  /** Hashtags in the text, each once; empty without. */
  readonly hashtags: ReadonlyArray<{
    /** Without the # sign. */
    readonly text: string;
    /** Where it stands in `text`: from the first to before the second, in code points. */
    readonly indices: readonly [number, number];
  }>;
  /** Links in the text; empty without. */
  readonly urls: ReadonlyArray<{
    /** Address that is linked; as people write them, so not always a URI (RFC 3986). */
    readonly url: string;
    /** The same, shorter, for display. */
    readonly display_url: string;
    /** Where it stands in `text`: from the first to before the second, in code points. */
    readonly indices: readonly [number, number];
  }>;
  /** Accounts mentioned in the text, each once, at most 20. */
  readonly user_definition: readonly Account[];
  /** Counters, exact at any time. */
  readonly action: {
    /** How many likes it has. */
    readonly likes: number;
    /** How many comments it has. */
    readonly comments: number;
    /** How many reposts it has. */
    readonly reposts: number;
  };
  /** Who reposted it, where it is in the list for that. */
  readonly repost?: {
    /** Id of the repost. */
    readonly id: number;
    readonly user: Account;
    /** When it was made, in UTC and in English whatever the reader's language. */
    readonly created: string;
    /** The same moment by RFC 3339. */
    readonly created_at: string;
  };
}

/** An account (user object). */
export interface Account {
  /** Always `account`. */
  readonly objectType: 'account';
  /** The service's name and `#account`. */
  readonly kind: string;
  /** Id of the account. */
  readonly id: number;
  /** Unique whatever the case; may be changed by its owner. */
  readonly username: string;
  /** Full name for display. */
  readonly displayName: string;
  /** First and last name; need not be those of a real person. */
  readonly name: {
    /** At most 25 characters. */
    readonly first_name: string;
    /** At most 30 characters. */
    readonly last_name: string;
  };
  /** Free text about the account; may be empty. */
  readonly description: string;
  /** A place, free text; may be empty. */
  readonly country: string;
  /** Address of the account's public page. */
  readonly link: string;
  /** 1 when the operator has verified the account. */
  readonly verified: 0 | 1;
  /** Address of the main photo; one is drawn for accounts without. */
  readonly avatar: string;
  /** Counters, exact at any time. */
  readonly action: {
    /** How many accounts follow it. */
    readonly followers: number;
    /** How many accounts it follows. */
    readonly following: number;
    /** How many posts it has written. */
    readonly posts: number;
  };
}

/** A post. */
export interface Post {
  /** Id of the post. */
  readonly id: number;
  /** Text of the post, as it was written. */
  readonly text: string;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  /** Address of the post's public page. */
  readonly link: string;
  readonly user: Account;
  /** What is attached to the post. */
  readonly media: {
    readonly image: string | null;
    /** The file in full size; empty without media. */
    readonly files: ReadonlyArray<{
      /** Name that the service gave the file. */
      readonly name: string;
      /** In bytes. */
      readonly filesize: number;
      /** Address of the file in full size. */
      readonly download: string;
    }>;
  };
  /** Hashtags in the text, each once; empty without. */
  readonly hashtags: ReadonlyArray<{
    /** Without the # sign. */
    readonly text: string;
    /** Where it stands in `text`: from the first to before the second, in code points. */
    readonly indices: readonly [number, number];
  }>;
  /** Links in the text; empty without. */
  readonly urls: ReadonlyArray<{
    /** Address that is linked; as people write them, so not always a URI (RFC 3986). */
    readonly url: string;
    /** The same, shorter, for display. */
    readonly display_url: string;
    /** Where it stands in `text`: from the first to before the second, in code points. */
    readonly indices: readonly [number, number];
  }>;
  /** Accounts mentioned in the text, each once, at most 20. */
  readonly user_definition: readonly Account[];
  /** Counters, exact at any time. */
  readonly action: {
    /** How many likes it has. */
    readonly likes: number;
    /** How many comments it has. */
    readonly comments: number;
    /** How many reposts it has. */
    readonly reposts: number;
  };
}

/** A comment on a post. */
export interface Comment {
  /** Id of the comment. */
  readonly id: number;
  /** Text of the comment, as it was written. */
  readonly text: string;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  readonly user: Account;
}

/** A media record. */
export interface Media {
  /** Id of the media record. */
  readonly id: number;
  /** Id of the post it is attached to; 0 while it is not. */
  readonly item_id: number;
  readonly media: {
    /** Address of the image. */
    readonly image: string;
  };
  readonly user: Account;
}

/** What an account allows an application. */
export interface Grant {
  /** Id of the grant. */
  readonly id: number;
  /** `consent`: somebody let the application in; `act_as_owner`: it acts as its owner by its credentials. */
  readonly kind: 'consent' | 'act_as_owner';
  /** The application. */
  readonly client_id: string;
  /** What is allowed: scopes, separated by spaces. */
  readonly scope: string;
  /** Whether the token of this call belongs to it. */
  readonly current: boolean;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  /** When it ends; absent: it goes on until somebody ends it. */
  readonly ends?: string;
  /** The same moment by RFC 3339. */
  readonly ends_at?: string;
}

/** An account with all its fields, and its latest post where there is one to show. */
export interface ShownAccount {
  /** Always `account`. */
  readonly objectType: 'account';
  /** The service's name and `#account`. */
  readonly kind: string;
  /** Id of the account. */
  readonly id: number;
  /** Unique whatever the case; may be changed by its owner. */
  readonly username: string;
  /** Full name for display. */
  readonly displayName: string;
  /** First and last name; need not be those of a real person. */
  readonly name: {
    /** At most 25 characters. */
    readonly first_name: string;
    /** At most 30 characters. */
    readonly last_name: string;
  };
  /** Free text about the account; may be empty. */
  readonly description: string;
  /** A place, free text; may be empty. */
  readonly country: string;
  /** Address of the account's public page. */
  readonly link: string;
  /** 1 when the operator has verified the account. */
  readonly verified: 0 | 1;
  /** Address of the main photo; one is drawn for accounts without. */
  readonly avatar: string;
  /** Counters, exact at any time. */
  readonly action: {
    /** How many accounts follow it. */
    readonly followers: number;
    /** How many accounts it follows. */
    readonly following: number;
    /** How many posts it has written. */
    readonly posts: number;
  };
  /** Preferred language. */
  readonly language: string;
  /** Empty unless the token acts for this very account and has the scope `email`. */
  readonly email: string;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  readonly post?: Post;
}

/** Every answer that is no success (RFC 9457). */
export interface Problem {
  /** Names the kind of problem; ends with its code. */
  readonly type: string;
  /** The kind of problem in the language of the reader (`Accept-Language`: English, German, French or Spanish). */
  readonly title: string;
  /** The status of the answer. */
  readonly status: number;
  /** What was wrong this time, in English. */
  readonly detail: string;
  /** Stable name of the kind of problem; each has one status. */
  readonly code:
    | 'invalid-parameter'
    | 'malformed-body'
    | 'token-required'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'user-context-required'
    | 'wrong-password'
    | 'prefetch-refused'
    | 'media-not-usable'
    | 'protected-account'
    | 'not-owner'
    | 'not-found'
    | 'unknown-endpoint'
    | 'unknown-version'
    | 'method-not-allowed'
    | 'accept-required'
    | 'email-taken'
    | 'username-taken'
    | 'idempotency-in-progress'
    | 'media-attached'
    | 'body-too-large'
    | 'unsupported-media-type'
    | 'idempotency-key-reused'
    | 'image-refused'
    | 'rate-limited'
    | 'overloaded'
    | 'internal-error'
    | 'unavailable'
    | 'storage-full';
  /** Each parameter that is missing or malformed; empty for other problems. */
  readonly errors: ReadonlyArray<{
    /** Name of the parameter. */
    readonly parameter: string;
    /** What is wrong with it. */
    readonly code: 'missing' | 'invalid' | 'repeated' | 'taken';
    /** The same in English. */
    readonly detail: string;
  }>;
  /** Id of the request, for questions to the operator. */
  readonly request_id: string;
  /** The scope that is needed (`insufficient_scope`). */
  readonly scope?: string;
  /** How to ask the person of the token for the scope (`insufficient_scope`). */
  readonly ask_again?: {
    /** Where to send the person. */
    readonly authorization_endpoint: string;
    /** What to send besides `response_type`, `redirect_uri`, `state` and PKCE. */
    readonly parameters: {
      readonly client_id: string;
      readonly scope: string;
      readonly prompt: 'consent';
    };
  };
  /** The known versions (`unknown-version`). */
  readonly versions?: readonly string[];
}

/** Parameters of `account.checkUsername`. */
export interface AccountCheckUsernameParameters {
  /** Username: 5 to 32 letters, digits and underscores; upper and lower case are one. */
  readonly username: string;
}

/** Answer of `account.checkUsername`. */
export interface AccountCheckUsernameAnswer {
  readonly response: {
    readonly status: 0 | 1;
  };
}

/** Parameters of `account.delete`. */
export interface AccountDeleteParameters {
  /** Password of 6 to 256 characters, any of them. */
  readonly password: string;
}

/** Answer of `account.delete`. */
export interface AccountDeleteAnswer {
  readonly status: 'succeeded';
  readonly message: string;
}

/** Parameters of `account.export`. */
export interface AccountExportParameters {
  /** Where to go on: `next` or `prev` of an earlier answer. */
  readonly cursor?: string | undefined;
}

/** Answer of `account.export`. */
export interface AccountExportAnswer {
  readonly profile: {
    /** Always `account`. */
    readonly objectType: 'account';
    /** The service's name and `#account`. */
    readonly kind: string;
    /** Id of the account. */
    readonly id: number;
    /** Unique whatever the case; may be changed by its owner. */
    readonly username: string;
    /** Full name for display. */
    readonly displayName: string;
    /** First and last name; need not be those of a real person. */
    readonly name: {
      /** At most 25 characters. */
      readonly first_name: string;
      /** At most 30 characters. */
      readonly last_name: string;
    };
    /** Free text about the account; may be empty. */
    readonly description: string;
    /** A place, free text; may be empty. */
    readonly country: string;
    /** Address of the account's public page. */
    readonly link: string;
    /** 1 when the operator has verified the account. */
    readonly verified: 0 | 1;
    /** Address of the main photo; one is drawn for accounts without. */
    readonly avatar: string;
    /** Counters, exact at any time. */
    readonly action: {
      /** How many accounts follow it. */
      readonly followers: number;
      /** How many accounts it follows. */
      readonly following: number;
      /** How many posts it has written. */
      readonly posts: number;
    };
    /** Preferred language. */
    readonly language: string;
    /** Empty unless the token acts for this very account and has the scope `email`. */
    readonly email: string;
    /** When it was made, in UTC and in English whatever the reader's language. */
    readonly created: string;
    /** The same moment by RFC 3339. */
    readonly created_at: string;
  };
  readonly posts: readonly Post[];
  readonly reposts: ReadonlyArray<{
    readonly item_id: number;
    readonly created: string;
    readonly created_at: string;
  }>;
  readonly comments: ReadonlyArray<{
    /** Id of the comment. */
    readonly id: number;
    /** Text of the comment, as it was written. */
    readonly text: string;
    /** When it was made, in UTC and in English whatever the reader's language. */
    readonly created: string;
    /** The same moment by RFC 3339. */
    readonly created_at: string;
    readonly item_id: number;
  }>;
  readonly likes: ReadonlyArray<{
    readonly item_id: number;
  }>;
  readonly follows: {
    readonly following: readonly Account[];
    readonly followers: readonly Account[];
  };
  readonly media: ReadonlyArray<{
    /** Id of the media record. */
    readonly id: number;
    /** Id of the post it is attached to; 0 while it is not. */
    readonly item_id: number;
    /** The picture, and its file in full size. */
    readonly media: {
      readonly image: string | null;
      /** The file in full size; empty without media. */
      readonly files: ReadonlyArray<{
        /** Name that the service gave the file. */
        readonly name: string;
        /** In bytes. */
        readonly filesize: number;
        /** Address of the file in full size. */
        readonly download: string;
      }>;
    };
    readonly created: string;
    readonly created_at: string;
  }>;
  readonly next?: string;
}

/** Parameters of `account.grants`. */
export interface AccountGrantsParameters {
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `account.grants`. */
export interface AccountGrantsAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Grant[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `account.grantsNarrow`. */
export interface AccountGrantsNarrowParameters {
  /** Id of the grant: an integer, or its digits as a string. */
  readonly id: number | string;
  /** Scopes that stay, separated by spaces: one or more of those that the grant has. */
  readonly scope: string;
}

/** Parameters of `account.grantsRevoke`. */
export interface AccountGrantsRevokeParameters {
  /** Id of the grant: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `account.grantsRevoke`. */
export interface AccountGrantsRevokeAnswer {
  readonly status: 'succeeded';
  readonly message: string;
}

/** Parameters of `account.update`. */
export interface AccountUpdateParameters {
  /** Text of 1 to 56 characters (code points); white space around it is taken away first. */
  readonly displayName?: string | undefined;
  /** Text of at most 400 characters (code points); it may be empty. */
  readonly description?: string | undefined;
  /** Text of at most 100 characters (code points); it may be empty. */
  readonly country?: string | undefined;
  /** Language tag (BCP 47). */
  readonly language?: string | undefined;
  /** Yes: `true` or 1; no: `false` or 0. */
  readonly protected?: true | 1 | '1' | 'true' | false | 0 | '0' | 'false' | undefined;
  /** Id of the account's own upload: an integer, or its digits as a string. */
  readonly avatar?: number | string | undefined;
}

/** Parameters of `account.updateUsername`. */
export interface AccountUpdateUsernameParameters {
  /** Username: 5 to 32 letters, digits and underscores; upper and lower case are one. */
  readonly username: string;
}

/** Answer of `account.updateUsername`. */
export interface AccountUpdateUsernameAnswer {
  readonly response: {
    readonly status: 0 | 1;
    readonly username: string;
  };
  readonly status: 0 | 1;
  readonly username: string;
}

/** Parameters of `auth.isEmail`. */
export interface AuthIsEmailParameters {
  /** E-mail address. */
  readonly email: string;
}

/** Answer of `auth.isEmail`. */
export interface AuthIsEmailAnswer {
  readonly response: 0 | 1;
}

/** Parameters of `auth.register`. */
export interface AuthRegisterParameters {
  /** Text of 1 to 30 characters (code points); white space around it is taken away first. */
  readonly last_name: string;
  /** Text of 1 to 25 characters (code points); white space around it is taken away first. */
  readonly first_name: string;
  /** E-mail address. */
  readonly email: string;
  /** Password of 6 to 256 characters, any of them. */
  readonly password: string;
  /** Username: 5 to 32 letters, digits and underscores; upper and lower case are one. */
  readonly username?: string | undefined;
}

/** Answer of `auth.register`. */
export interface AuthRegisterAnswer {
  readonly message: string;
  readonly user: Account;
}

/** Parameters of `comments.create`. */
export interface CommentsCreateParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
  /** Text of 1 to 1000 characters (code points); white space around it is taken away first. */
  readonly text: string;
}

/** Answer of `comments.create`. */
export interface CommentsCreateAnswer {
  /** Id of the comment. */
  readonly id: number;
  /** Text of the comment, as it was written. */
  readonly text: string;
  /** When it was made, in UTC and in English whatever the reader's language. */
  readonly created: string;
  /** The same moment by RFC 3339. */
  readonly created_at: string;
  readonly user: Account;
  readonly status: 0;
}

/** Parameters of `comments.delete`. */
export interface CommentsDeleteParameters {
  /** Id of the comment: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `comments.delete`. */
export interface CommentsDeleteAnswer {
  readonly status: 'succeeded';
  readonly message: string;
}

/** Parameters of `comments.list`. */
export interface CommentsListParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `comments.list`. */
export interface CommentsListAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Comment[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `feed.list`. */
export interface FeedListParameters {
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `feed.list`. */
export interface FeedListAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly ListedPost[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `follows.add`. */
export interface FollowsAddParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.add`. */
export interface FollowsAddAnswer {
  readonly count: number;
  readonly requested: 0 | 1;
}

/** Parameters of `follows.approve`. */
export interface FollowsApproveParameters {
  /** Id of the account that asked: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.approve`. */
export interface FollowsApproveAnswer {
  readonly count: number;
}

/** Parameters of `follows.delete`. */
export interface FollowsDeleteParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.delete`. */
export interface FollowsDeleteAnswer {
  readonly count: number;
}

/** Parameters of `follows.isFollowing`. */
export interface FollowsIsFollowingParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.isFollowing`. */
export interface FollowsIsFollowingAnswer {
  readonly response: {
    readonly following: 0 | 1;
    readonly requested: 0 | 1;
  };
}

/** Parameters of `follows.reject`. */
export interface FollowsRejectParameters {
  /** Id of the account that asked: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.reject`. */
export interface FollowsRejectAnswer {
  readonly count: number;
}

/** Parameters of `follows.remove`. */
export interface FollowsRemoveParameters {
  /** Id of the follower: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `follows.remove`. */
export interface FollowsRemoveAnswer {
  readonly count: number;
}

/** Parameters of `follows.requests`. */
export interface FollowsRequestsParameters {
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `follows.requests`. */
export interface FollowsRequestsAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Account[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `likes.add`. */
export interface LikesAddParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `likes.add`. */
export interface LikesAddAnswer {
  readonly count: number;
}

/** Parameters of `likes.delete`. */
export interface LikesDeleteParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `likes.delete`. */
export interface LikesDeleteAnswer {
  readonly count: number;
}

/** Parameters of `likes.isLiked`. */
export interface LikesIsLikedParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `likes.isLiked`. */
export interface LikesIsLikedAnswer {
  readonly response: {
    readonly liked: 0 | 1;
  };
}

/** Parameters of `media.delete`. */
export interface MediaDeleteParameters {
  /** Id of the media record: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `media.delete`. */
export interface MediaDeleteAnswer {
  readonly status: 'succeeded';
  readonly message: string;
}

/** Parameters of `media.list`. */
export interface MediaListParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly user_id?: number | string | undefined;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `media.list`. */
export interface MediaListAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Media[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `media.show`. */
export interface MediaShowParameters {
  /** Id of the media record: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `media.show`. */
export interface MediaShowAnswer {
  /** Id of the media record. */
  readonly id: number;
  /** Id of the post it is attached to; 0 while it is not. */
  readonly item_id: number;
  readonly media: {
    /** Address of the image. */
    readonly image: string;
  };
  readonly user: Account;
  readonly items: readonly Media[];
}

/** Parameters of `media.upload`. */
export interface MediaUploadParameters {
  /** Full http(s) address of the image, or the image itself as a file part of a multipart body. */
  readonly media: string | Blob;
}

/** Answer of `media.upload`. */
export interface MediaUploadAnswer {
  readonly status: 'succeeded';
  readonly finally: {
    readonly media_id: number;
    readonly media_id_string: string;
    readonly size: number;
    readonly image_type: 'image/png' | 'image/jpeg';
  };
}

/** Parameters of `posts.create`. */
export interface PostsCreateParameters {
  /** Text of 1 to 400 characters (code points); white space around it is taken away first. */
  readonly message: string;
  /** Id of the caller's own upload, not attached yet: an integer, or its digits as a string. */
  readonly media?: number | string | undefined;
}

/** Answer of `posts.create`. */
export interface PostsCreateAnswer {
  readonly status: 'succeeded';
  readonly message: string;
  readonly items: Post;
}

/** Parameters of `posts.delete`. */
export interface PostsDeleteParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `posts.delete`. */
export interface PostsDeleteAnswer {
  readonly status: 'succeeded';
  readonly message: string;
}

/** Parameters of `posts.list`. */
export interface PostsListParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly user_id: number | string;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `posts.list`. */
export interface PostsListAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly ListedPost[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `posts.show`. */
export interface PostsShowParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `posts.show`. */
export interface PostsShowAnswer {
  readonly items: Post;
}

/** Parameters of `reposts.add`. */
export interface RepostsAddParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `reposts.add`. */
export interface RepostsAddAnswer {
  readonly count: number;
}

/** Parameters of `reposts.delete`. */
export interface RepostsDeleteParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `reposts.delete`. */
export interface RepostsDeleteAnswer {
  readonly count: number;
}

/** Parameters of `reposts.isReposted`. */
export interface RepostsIsRepostedParameters {
  /** Id of the post: an integer, or its digits as a string. */
  readonly item_id: number | string;
}

/** Answer of `reposts.isReposted`. */
export interface RepostsIsRepostedAnswer {
  readonly response: {
    readonly reposted: 0 | 1;
  };
}

/** Parameters of `users.favorites`. */
export interface UsersFavoritesParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `users.favorites`. */
export interface UsersFavoritesAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Post[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `users.followers`. */
export interface UsersFollowersParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `users.followers`. */
export interface UsersFollowersAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Account[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `users.following`. */
export interface UsersFollowingParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
  /** How many records a page holds; above 100 is lowered to it. */
  readonly count?: number | string | undefined;
  /** Which page, from 1 on; 0 is the first as well. */
  readonly page?: number | string | undefined;
  /** Where to go on: `next` or `prev` of an earlier answer; `page` is not looked at then. */
  readonly cursor?: string | undefined;
}

/** Answer of `users.following`. */
export interface UsersFollowingAnswer {
  /** Records of the list that the caller may see; of some lists at most the latest 3000. */
  readonly total: number;
  /** Records on this page. */
  readonly count: number;
  readonly items: readonly Account[];
  /** `cursor` of what is older; absent at the end. */
  readonly next?: string;
  /** `cursor` of what is newer; absent at the start. */
  readonly prev?: string;
}

/** Parameters of `users.is`. */
export interface UsersIsParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id: number | string;
}

/** Answer of `users.is`. */
export interface UsersIsAnswer {
  readonly response: {
    readonly user: 0 | 1;
  };
  readonly exists: boolean;
}

/** Parameters of `users.show`. */
export interface UsersShowParameters {
  /** Id of the account: an integer, or its digits as a string. */
  readonly id?: number | string | undefined;
  /** Username: 5 to 32 letters, digits and underscores; upper and lower case are one. */
  readonly username?: string | undefined;
}

/** Every call of the API, by noun and verb. */
export interface Calls {
  readonly account: {
    /**
     * Tells whether a username is taken: 1 taken, 0 free.
     *
     * Needs the scope `users:read`.
     */
    checkUsername(
      parameters: AccountCheckUsernameParameters,
      options?: CallOptions,
    ): Promise<AccountCheckUsernameAnswer>;
    /**
     * Deletes the account; an operator can restore it for 14 days.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `wrong-password`, `rate-limited`.
     */
    delete(parameters: AccountDeleteParameters, options?: CallOptions): Promise<AccountDeleteAnswer>;
    /**
     * Exports the account, oldest records first: at most 500 of each kind in one answer; `next` is the `cursor` of the next answer.
     *
     * Needs the scope `users:read`. Acts as the account of the token.
     */
    export(parameters?: AccountExportParameters, options?: CallOptions): List<AccountExportAnswer, AccountExportAnswer>;
    /**
     * Lists what the account of the token allows this application, the newest grant first.
     *
     * Needs the scope `users:read`. Acts as the account of the token.
     */
    grants(parameters?: AccountGrantsParameters, options?: CallOptions): List<AccountGrantsAnswer, Grant>;
    /**
     * Gives scopes back: the grant keeps those named; its access tokens end within a second.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    grantsNarrow(parameters: AccountGrantsNarrowParameters, options?: CallOptions): Promise<Grant>;
    /**
     * Ends a grant; its tokens end within a second.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    grantsRevoke(parameters: AccountGrantsRevokeParameters, options?: CallOptions): Promise<AccountGrantsRevokeAnswer>;
    /**
     * Changes the profile; what is left out stays as it is.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `media-not-usable`.
     */
    update(parameters?: AccountUpdateParameters, options?: CallOptions): Promise<ShownAccount>;
    /**
     * Changes the username: 0 changed, 1 taken and unchanged; the old one stays reserved for 30 days, ten of them at most.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `rate-limited`.
     */
    updateUsername(
      parameters: AccountUpdateUsernameParameters,
      options?: CallOptions,
    ): Promise<AccountUpdateUsernameAnswer>;
  };
  readonly auth: {
    /**
     * Tells whether an e-mail address is taken: 0 free, 1 taken.
     *
     * Any token will do.
     */
    isEmail(parameters: AuthIsEmailParameters, options?: CallOptions): Promise<AuthIsEmailAnswer>;
    /**
     * Registers an account.
     *
     * Any token will do. May be refused with `email-taken`, `username-taken`.
     */
    register(parameters: AuthRegisterParameters, options?: CallOptions): Promise<AuthRegisterAnswer>;
  };
  readonly comments: {
    /**
     * Adds a comment to a post.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`.
     */
    create(parameters: CommentsCreateParameters, options?: CallOptions): Promise<CommentsCreateAnswer>;
    /**
     * Deletes a comment of the account.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`, `not-owner`.
     */
    delete(parameters: CommentsDeleteParameters, options?: CallOptions): Promise<CommentsDeleteAnswer>;
    /**
     * Lists the latest comments of a post.
     *
     * Needs the scope `posts:read`. May be refused with `not-found`.
     */
    list(parameters: CommentsListParameters, options?: CallOptions): List<CommentsListAnswer, Comment>;
  };
  readonly feed: {
    /**
     * Lists the latest posts and reposts of the account of the token and of those it follows.
     *
     * Needs the scope `posts:read`. Acts as the account of the token.
     */
    list(parameters?: FeedListParameters, options?: CallOptions): List<FeedListAnswer, ListedPost>;
  };
  readonly follows: {
    /**
     * Follows an account, or asks to when it is protected (requested: 1); the answer counts its followers.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    add(parameters: FollowsAddParameters, options?: CallOptions): Promise<FollowsAddAnswer>;
    /**
     * Lets an account that asked follow; the answer counts the followers of the account of the token.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    approve(parameters: FollowsApproveParameters, options?: CallOptions): Promise<FollowsApproveAnswer>;
    /**
     * Follows an account no longer, and asks no longer to; the answer counts its followers.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    delete(parameters: FollowsDeleteParameters, options?: CallOptions): Promise<FollowsDeleteAnswer>;
    /**
     * Tells whether the account of the token follows another, or has asked to: 1 yes, 0 no.
     *
     * Needs the scope `users:read`. Acts as the account of the token. May be refused with `not-found`.
     */
    isFollowing(parameters: FollowsIsFollowingParameters, options?: CallOptions): Promise<FollowsIsFollowingAnswer>;
    /**
     * Drops a request to follow; the answer counts the followers of the account of the token.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    reject(parameters: FollowsRejectParameters, options?: CallOptions): Promise<FollowsRejectAnswer>;
    /**
     * Removes a follower; the answer counts the followers of the account of the token.
     *
     * Needs the scope `users`. Acts as the account of the token. May be refused with `not-found`.
     */
    remove(parameters: FollowsRemoveParameters, options?: CallOptions): Promise<FollowsRemoveAnswer>;
    /**
     * Lists who asks to follow the account of the token, the newest request first.
     *
     * Needs the scope `users:read`. Acts as the account of the token.
     */
    requests(parameters?: FollowsRequestsParameters, options?: CallOptions): List<FollowsRequestsAnswer, Account>;
  };
  readonly likes: {
    /**
     * Marks a post as liked; liking twice is liking once.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`.
     */
    add(parameters: LikesAddParameters, options?: CallOptions): Promise<LikesAddAnswer>;
    /**
     * Takes the like mark of a post away.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`.
     */
    delete(parameters: LikesDeleteParameters, options?: CallOptions): Promise<LikesDeleteAnswer>;
    /**
     * Tells whether a post is liked: 1 liked, 0 not liked.
     *
     * Needs the scope `posts:read`. Acts as the account of the token. May be refused with `not-found`.
     */
    isLiked(parameters: LikesIsLikedParameters, options?: CallOptions): Promise<LikesIsLikedAnswer>;
  };
  readonly media: {
    /**
     * Deletes media of the account; a post that it was attached to stays without it.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`, `not-owner`.
     */
    delete(parameters: MediaDeleteParameters, options?: CallOptions): Promise<MediaDeleteAnswer>;
    /**
     * Lists the latest media of an account; without user_id, of the account of the token.
     *
     * Needs the scope `posts:read`. May be refused with `not-found`, `protected-account`.
     */
    list(parameters?: MediaListParameters, options?: CallOptions): List<MediaListAnswer, Media>;
    /**
     * Reads a media record.
     *
     * Needs the scope `posts:read`. May be refused with `not-found`.
     */
    show(parameters: MediaShowParameters, options?: CallOptions): Promise<MediaShowAnswer>;
    /**
     * Uploads an image: a PNG or JPEG of at most 10 MB and 40 megapixels, by address or as a file part.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `body-too-large`, `image-refused`, `rate-limited`, `overloaded`, `storage-full`.
     */
    upload(parameters: MediaUploadParameters, options?: CallOptions): Promise<MediaUploadAnswer>;
  };
  readonly posts: {
    /**
     * Creates a post.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `media-not-usable`, `media-attached`.
     */
    create(parameters: PostsCreateParameters, options?: CallOptions): Promise<PostsCreateAnswer>;
    /**
     * Deletes a post of the account with its comments, likes and reposts.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`, `not-owner`.
     */
    delete(parameters: PostsDeleteParameters, options?: CallOptions): Promise<PostsDeleteAnswer>;
    /**
     * Lists the latest posts and reposts of an account.
     *
     * Needs the scope `posts:read`. May be refused with `not-found`, `protected-account`.
     */
    list(parameters: PostsListParameters, options?: CallOptions): List<PostsListAnswer, ListedPost>;
    /**
     * Reads a post.
     *
     * Needs the scope `posts:read`. May be refused with `not-found`.
     */
    show(parameters: PostsShowParameters, options?: CallOptions): Promise<PostsShowAnswer>;
  };
  readonly reposts: {
    /**
     * Reposts a post; reposting twice is reposting once.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`.
     */
    add(parameters: RepostsAddParameters, options?: CallOptions): Promise<RepostsAddAnswer>;
    /**
     * Takes a repost back.
     *
     * Needs the scope `posts`. Acts as the account of the token. May be refused with `not-found`.
     */
    delete(parameters: RepostsDeleteParameters, options?: CallOptions): Promise<RepostsDeleteAnswer>;
    /**
     * Tells whether a post is reposted: 1 reposted, 0 not reposted.
     *
     * Needs the scope `posts:read`. Acts as the account of the token. May be refused with `not-found`.
     */
    isReposted(parameters: RepostsIsRepostedParameters, options?: CallOptions): Promise<RepostsIsRepostedAnswer>;
  };
  readonly users: {
    /**
     * Lists the posts an account liked, the newest like first.
     *
     * Needs the scope `users:read`. May be refused with `not-found`.
     */
    favorites(parameters: UsersFavoritesParameters, options?: CallOptions): List<UsersFavoritesAnswer, Post>;
    /**
     * Lists who follows an account, the newest first.
     *
     * Needs the scope `users:read`. May be refused with `not-found`.
     */
    followers(parameters: UsersFollowersParameters, options?: CallOptions): List<UsersFollowersAnswer, Account>;
    /**
     * Lists whom an account follows, the newest first.
     *
     * Needs the scope `users:read`. May be refused with `not-found`.
     */
    following(parameters: UsersFollowingParameters, options?: CallOptions): List<UsersFollowingAnswer, Account>;
    /**
     * Tells whether an account exists: 0 exists, 1 does not exist.
     *
     * Needs the scope `users:read`.
     */
    is(parameters: UsersIsParameters, options?: CallOptions): Promise<UsersIsAnswer>;
    /**
     * Reads an account; without id and username, the account of the token.
     *
     * Needs the scope `users:read`. May be refused with `not-found`.
     */
    show(parameters?: UsersShowParameters, options?: CallOptions): Promise<ShownAccount>;
  };
}

/** How each of them is sent. */
export const calls: Readonly<Record<string, Readonly<Record<string, CallDescription>>>> = {
  account: {
    checkUsername: { method: 'GET', path: '/account/check_username' },
    delete: { method: 'POST', path: '/account/delete', writes: true },
    export: { method: 'POST', path: '/account/export', paged: true },
    grants: { method: 'GET', path: '/account/grants', paged: true },
    grantsNarrow: { method: 'POST', path: '/account/grants/narrow', writes: true },
    grantsRevoke: { method: 'POST', path: '/account/grants/revoke', writes: true },
    update: { method: 'POST', path: '/account/update', writes: true },
    updateUsername: { method: 'POST', path: '/account/update_username', writes: true },
  },
  auth: {
    isEmail: { method: 'POST', path: '/auth/is_email' },
    register: { method: 'POST', path: '/auth/register', writes: true },
  },
  comments: {
    create: { method: 'POST', path: '/comment/create', writes: true, fixed: { type: 'post' } },
    delete: { method: 'POST', path: '/comment/delete', writes: true },
    list: { method: 'GET', path: '/comment', paged: true, fixed: { type: 'post' } },
  },
  feed: {
    list: { method: 'GET', path: '/feed', paged: true },
  },
  follows: {
    add: { method: 'POST', path: '/follows/add', writes: true },
    approve: { method: 'POST', path: '/follows/approve', writes: true },
    delete: { method: 'POST', path: '/follows/delete', writes: true },
    isFollowing: { method: 'GET', path: '/follows/is_following' },
    reject: { method: 'POST', path: '/follows/reject', writes: true },
    remove: { method: 'POST', path: '/follows/remove', writes: true },
    requests: { method: 'GET', path: '/follows/requests', paged: true },
  },
  likes: {
    add: { method: 'POST', path: '/likes/add', writes: true, fixed: { type: 'post' } },
    delete: { method: 'POST', path: '/likes/delete', writes: true, fixed: { type: 'post' } },
    isLiked: { method: 'GET', path: '/likes/is_liked', fixed: { type: 'post' } },
  },
  media: {
    delete: { method: 'POST', path: '/media/delete', writes: true },
    list: { method: 'GET', path: '/media', paged: true },
    show: { method: 'GET', path: '/media/show' },
    upload: { method: 'POST', path: '/media/upload', writes: true },
  },
  posts: {
    create: { method: 'POST', path: '/post/create', writes: true },
    delete: { method: 'POST', path: '/post/delete', writes: true },
    list: { method: 'GET', path: '/post', paged: true },
    show: { method: 'GET', path: '/post/show' },
  },
  reposts: {
    add: { method: 'POST', path: '/reposts/add', writes: true, fixed: { type: 'post' } },
    delete: { method: 'POST', path: '/reposts/delete', writes: true, fixed: { type: 'post' } },
    isReposted: { method: 'GET', path: '/reposts/is_reposted', fixed: { type: 'post' } },
  },
  users: {
    favorites: { method: 'GET', path: '/users/favorites', paged: true },
    followers: { method: 'GET', path: '/users/followers', paged: true },
    following: { method: 'GET', path: '/users/following', paged: true },
    is: { method: 'GET', path: '/users/is' },
    show: { method: 'GET', path: '/users/show' },
  },
};
