/** `incomplete` includes new connections, `idle` those that do not read their response. */
export type ConnectionState = 'incomplete' | 'idle' | 'working';

export interface GroupMember {
  /** The number of checks when the state changed. */
  readonly since: number;
  /** Returns false if a complete request has arrived. */
  evict(): boolean;
}

export interface GroupLimits {
  readonly connections: number;
  readonly incomplete: number;
}

export class ConnectionGroup {
  private size = 0;
  // oldest first
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

  leave(member: GroupMember, state: ConnectionState): void {
    this.size--;
    if (state !== 'working') this[state].delete(member);
  }

  move(member: GroupMember, from: ConnectionState, to: ConnectionState): void {
    if (from !== 'working') this[from].delete(member);
    if (to !== 'working') this[to].add(member);
  }

  /** Closes none whose state changed after that check. */
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
