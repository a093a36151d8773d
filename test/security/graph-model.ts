/** An in-memory model of the social graph, after decisions D8, D15, D20, D21 and D25: predicts the API's responses. */

/** The status and, if the response has one, the count. */
export type Expected = readonly [status: number, count?: number];

export interface ModelPerson {
  protected: boolean;
  readonly followers: Set<ModelPerson>;
  /** People who have requested to follow. */
  readonly requests: Set<ModelPerson>;
  readonly blocking: Set<ModelPerson>;
}

export interface ModelPost {
  readonly author: ModelPerson;
  readonly likes: Set<ModelPerson>;
  readonly reposts: Set<ModelPerson>;
  deleted: boolean;
}

export interface ModelComment {
  readonly author: ModelPerson;
  readonly post: ModelPost;
  deleted: boolean;
}

const notFound: Expected = [404];

export class GraphModel {
  readonly people: ModelPerson[] = [];
  readonly posts: ModelPost[] = [];
  readonly comments: ModelComment[] = [];

  register(): void {
    this.people.push({ protected: false, followers: new Set(), requests: new Set(), blocking: new Set() });
  }

  write(author: ModelPerson): void {
    this.posts.push({ author, likes: new Set(), reposts: new Set(), deleted: false });
  }

  sees(viewer: ModelPerson, { author, deleted }: ModelPost): boolean {
    if (deleted || this.areBlocked(viewer, author)) return false;
    return !author.protected || viewer === author || author.followers.has(viewer);
  }

  areBlocked(one: ModelPerson, other: ModelPerson): boolean {
    return one.blocking.has(other) || other.blocking.has(one);
  }

  /** The people whom a list shows to this viewer. */
  seenBy(viewer: ModelPerson, people: Iterable<ModelPerson>): ModelPerson[] {
    return [...people].filter((person) => !this.areBlocked(viewer, person));
  }

  block(person: ModelPerson, other: ModelPerson): Expected {
    if (person === other) return [400];
    person.blocking.add(other);
    for (const [one, another] of [
      [person, other],
      [other, person],
    ] as const) {
      one.followers.delete(another);
      one.requests.delete(another);
    }
    return [200];
  }

  unblock(person: ModelPerson, other: ModelPerson): Expected {
    person.blocking.delete(other);
    return [200];
  }

  commentsOf(post: ModelPost): ModelComment[] {
    return this.comments.filter((comment) => comment.post === post && !comment.deleted);
  }

  following(person: ModelPerson): ModelPerson[] {
    return this.people.filter(({ followers }) => followers.has(person));
  }

  activePosts(author: ModelPerson): ModelPost[] {
    return this.posts.filter((post) => post.author === author && !post.deleted);
  }

  /** GET /post: the account's posts and reposts; undefined if the viewer may not see them. */
  postsListed(author: ModelPerson, viewer: ModelPerson): ModelPost[] | undefined {
    if (this.areBlocked(viewer, author)) return undefined;
    if (author.protected && viewer !== author && !author.followers.has(viewer)) return undefined;
    return [...this.activePosts(author), ...this.reactedTo(author, 'reposts', viewer)];
  }

  /** The posts that a person liked or reposted, as far as the viewer may see them. */
  reactedTo(person: ModelPerson, kind: 'likes' | 'reposts', viewer: ModelPerson): ModelPost[] {
    return this.posts.filter((post) => post[kind].has(person) && this.sees(viewer, post));
  }

  /** GET /feed: each post once, even if several people reposted it. */
  feed(viewer: ModelPerson): ReadonlySet<ModelPost> {
    return new Set([viewer, ...this.following(viewer)].flatMap((person) => this.postsListed(person, viewer) ?? []));
  }

  react(person: ModelPerson, post: ModelPost, kind: 'likes' | 'reposts'): Expected {
    if (!this.sees(person, post)) return notFound;
    return [200, post[kind].add(person).size];
  }

  unreact(person: ModelPerson, post: ModelPost, kind: 'likes' | 'reposts'): Expected {
    const had = !post.deleted && post[kind].delete(person);
    return had || this.sees(person, post) ? [200, post[kind].size] : notFound;
  }

  comment(author: ModelPerson, post: ModelPost): Expected {
    if (!this.sees(author, post)) return notFound;
    this.comments.push({ author, post, deleted: false });
    return [200];
  }

  deleteComment(person: ModelPerson, comment: ModelComment): Expected {
    const isGone = comment.deleted || comment.post.deleted || this.areBlocked(person, comment.author);
    if (isGone || (comment.author !== person && !this.sees(person, comment.post))) return notFound;
    if (comment.author !== person) return [403];
    comment.deleted = true;
    return [200];
  }

  deletePost(person: ModelPerson, post: ModelPost): Expected {
    if (!this.sees(person, post)) return notFound;
    if (post.author !== person) return [403];
    post.deleted = true;
    return [200];
  }

  follow(person: ModelPerson, other: ModelPerson): Expected {
    if (person === other) return [400];
    if (this.areBlocked(person, other)) return notFound;
    if (other.protected && !other.followers.has(person)) other.requests.add(person);
    else other.followers.add(person);
    return [200, other.followers.size];
  }

  unfollow(person: ModelPerson, other: ModelPerson): Expected {
    if (person === other) return notFound;
    other.requests.delete(person);
    other.followers.delete(person);
    return [200, other.followers.size];
  }

  approve(owner: ModelPerson, other: ModelPerson): Expected {
    if (!owner.requests.delete(other) && !owner.followers.has(other)) return notFound;
    return [200, owner.followers.add(other).size];
  }

  reject(owner: ModelPerson, other: ModelPerson): Expected {
    owner.requests.delete(other);
    return [200, owner.followers.size];
  }

  remove(owner: ModelPerson, other: ModelPerson): Expected {
    if (owner === other) return notFound;
    owner.followers.delete(other);
    return [200, owner.followers.size];
  }

  protect(person: ModelPerson, value: boolean): void {
    person.protected = value;
    if (value) return;
    for (const other of person.requests) person.followers.add(other);
    person.requests.clear();
  }
}
