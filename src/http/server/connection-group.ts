/** `incomplete`: a request has begun, or none was sent yet. `idle`: nothing to do, or a response that is not read. */
export type ConnectionState = 'incomplete' | 'idle' | 'working';

export interface GroupMember {
  /** `performance.now()` when the connection came into its state. */
  readonly since: number;
  /** Closes the connection; returns false if it has a complete request by now. */
  evict(): boolean;
}

export interface GroupLimits {
  readonly connections: number;
  readonly incomplete: number;
}

/** The connections of one client, or of all clients, under common limits. */
export class ConnectionGroup {
  private size = 0;
  // Both in the order in which the connections came into the state.
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

  /** Closes the oldest connections while there are more than the limits allow, but none that is younger than `since`. */
  trim(since: number): void {
    while (this.incomplete.size > this.limits.incomplete && evictFirst(this.incomplete, since));
    while (this.size > this.limits.connections && this.evictOldest(since));
  }

  /** Returns false if there is no connection to close. */
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
