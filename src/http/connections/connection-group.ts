/**
 * `incomplete`: a request is awaited or on its way. `idle`: nothing is awaited, or a response is not read.
 * `working`: a whole request has arrived and is not answered.
 */
export type ConnectionState = 'incomplete' | 'idle' | 'working';

export interface GroupMember {
  /** The number of the check after which the state changed. */
  readonly since: number;
  /** Closes the connection; returns false if a complete request has arrived. */
  evict(): boolean;
}

export interface GroupLimits {
  readonly connections: number;
  readonly incomplete: number;
}

/** The connections of one client, or of all, and what can be closed among them, oldest first. */
export class ConnectionGroup {
  private size = 0;
  private readonly incomplete = new Set<GroupMember>();
  private readonly idle = new Set<GroupMember>();

  constructor(private readonly limits: GroupLimits) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get isFull(): boolean {
    return this.size >= this.limits.connections;
  }

  join(member: GroupMember): void {
    this.size++;
    this.incomplete.add(member);
  }

  leave(member: GroupMember): void {
    this.size--;
    this.incomplete.delete(member);
    this.idle.delete(member);
  }

  move(member: GroupMember, to: ConnectionState): void {
    this.incomplete.delete(member);
    this.idle.delete(member);
    if (to !== 'working') this[to].add(member);
  }

  /** Closes what is over the limits, except connections whose state changed after that check. */
  trim(since: number): void {
    while (this.incomplete.size > this.limits.incomplete && evictFirst(this.incomplete, since));
    while (this.size > this.limits.connections && this.evictOldest(since));
  }

  evictOldest(since = Infinity): boolean {
    return evictFirst(this.incomplete, since) || evictFirst(this.idle, since);
  }
}

function evictFirst(members: Set<GroupMember>, since: number): boolean {
  for (const member of members) {
    if (member.since > since) return false;
    if (member.evict()) return true;
  }
  return false;
}
