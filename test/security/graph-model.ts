/** An in-memory model of the social graph, after decisions D8, D15, D20, D21 and D25: predicts the API's responses. */

/** The status and, if the response has one, the count. */
export type Expected = readonly [status: number, count?: number];

export interface ModelPerson {
  protected: boolean;
  /** Those of `followers` whose request the person approved. */
  readonly approved: Set<ModelPerson>;
  readonly followers: Set<ModelPerson>;
  /** People who have requested to follow. */
  readonly requests: Set<ModelPerson>;
  readonly blocking: Set<ModelPerson>;
}

export interface ModelPost {
  readonly author: ModelPerson;
  readonly likes: Set<ModelPerson>;
  readonly reposts: Set<ModelPerson>;
  mentioned: ModelPerson | undefined;
  deleted: boolean;
  /** Newest last. */
  readonly texts: string[];
}

export interface ModelComment {
  readonly author: ModelPerson;
  readonly post: ModelPost;
  readonly mentioned: ModelPerson | undefined;
  deleted: boolean;
}

/** An item in the list of notifications. */
interface ModelNotification {
  readonly type: 'mention' | 'reply' | 'like' | 'repost' | 'follow' | 'follow_request' | 'approved';
  /** What it is about: the mention itself, or the post. */
  readonly about?: ModelPost | ModelComment;
  readonly count: number;
}

const notFound: Expected = [404];

export class GraphModel {
  readonly people: ModelPerson[] = [];
  readonly posts: ModelPost[] = [];
  readonly comments: ModelComment[] = [];

  register(): void {
    this.people.push({
      protected: false,
      approved: new Set(),
      followers: new Set(),
      requests: new Set(),
      blocking: new Set(),
    });
  }

  write(author: ModelPerson, other: ModelPerson, text: string): void {
    const mentioned = this.mentionable(author, other);
    this.posts.push({ author, likes: new Set(), reposts: new Set(), mentioned, deleted: false, texts: [text] });
  }

  /** `other`: whom the text names. */
  edit(person: ModelPerson, post: ModelPost, [other, text]: readonly [ModelPerson, string]): Expected {
    if (!this.sees(person, post)) return notFound;
    if (post.author !== person) return [403];
    if (post.texts.at(-1) === text) return [200];
    post.mentioned = this.mentionable(person, other);
    post.texts.push(text);
    return [200];
  }

  private mentionable(author: ModelPerson, other: ModelPerson): ModelPerson | undefined {
    return this.areBlocked(author, other) ? undefined : other;
  }

  /** GET /notifications, in any order. */
  notificationsOf(viewer: ModelPerson): ModelNotification[] {
    const own = this.posts.filter(({ author, deleted }) => author === viewer && !deleted);
    const others = (people: Iterable<ModelPerson>) =>
      this.seenBy(viewer, people).filter((person) => person !== viewer).length;
    const follows = [...viewer.followers].filter((person) => !viewer.approved.has(person));
    const approvals = this.people.filter(({ approved }) => approved.has(viewer));
    const items: ModelNotification[] = [
      ...this.mentionsOf(viewer).map((about) => ({ type: 'mention' as const, about, count: 1 })),
      ...own.flatMap((about): ModelNotification[] => [
        { type: 'like', about, count: others(about.likes) },
        { type: 'repost', about, count: others(about.reposts) },
        { type: 'reply', about, count: this.repliesTo(about).filter((by) => others([by]) === 1).length },
      ]),
      { type: 'follow', count: others(follows) },
      { type: 'follow_request', count: others(viewer.requests) },
      { type: 'approved', count: others(approvals) },
    ];
    return items.filter(({ count }) => count > 0);
  }

  private repliesTo(post: ModelPost): ModelPerson[] {
    return this.commentsOf(post).map(({ author }) => author);
  }

  /** A comment on the viewer's own post is a reply. */
  private mentionsOf(viewer: ModelPerson): (ModelPost | ModelComment)[] {
    const isByOther = ({ author, mentioned, deleted }: ModelPost | ModelComment) =>
      mentioned === viewer && author !== viewer && !deleted && !this.areBlocked(viewer, author);
    return [
      ...this.posts.filter((post) => isByOther(post) && this.sees(viewer, post)),
      ...this.comments.filter(
        (comment) => isByOther(comment) && comment.post.author !== viewer && this.sees(viewer, comment.post),
      ),
    ];
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
      one.approved.delete(another);
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

  comment(author: ModelPerson, post: ModelPost, other: ModelPerson): Expected {
    if (!this.sees(author, post)) return notFound;
    this.comments.push({ author, post, mentioned: this.mentionable(author, other), deleted: false });
    return [200];
  }

  deleteComment(person: ModelPerson, comment: ModelComment): Expected {
    if (comment.deleted || comment.post.deleted) return notFound;
    // The author of the post can delete it as well, even behind a block.
    if (comment.author !== person && comment.post.author !== person) {
      return this.areBlocked(person, comment.author) || !this.sees(person, comment.post) ? notFound : [403];
    }
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
    other.approved.delete(person);
    return [200, other.followers.size];
  }

  approve(owner: ModelPerson, other: ModelPerson): Expected {
    const requested = owner.requests.delete(other);
    if (!requested && !owner.followers.has(other)) return notFound;
    if (requested) owner.approved.add(other);
    return [200, owner.followers.add(other).size];
  }

  reject(owner: ModelPerson, other: ModelPerson): Expected {
    owner.requests.delete(other);
    return [200, owner.followers.size];
  }

  remove(owner: ModelPerson, other: ModelPerson): Expected {
    if (owner === other) return notFound;
    owner.followers.delete(other);
    owner.approved.delete(other);
    return [200, owner.followers.size];
  }

  protect(person: ModelPerson, value: boolean): void {
    person.protected = value;
    if (value) return;
    for (const other of person.requests) {
      person.followers.add(other);
      person.approved.add(other);
    }
    person.requests.clear();
  }
}
