import { Injectable } from '@nestjs/common';
import { MachinesRepository, type Machines } from './machines.repository.js';

/** Remembers for each user which machine of a till belongs to which restaurant; uploads check the grant. */
@Injectable()
export class MachinesService {
  constructor(private readonly machines: MachinesRepository) {}

  list(userId: number): Promise<Machines> {
    return this.machines.read(userId);
  }

  /** Machines that are not in the list are forgotten. */
  async replace(userId: number, machines: Machines): Promise<Machines> {
    const kept = machines.map(({ machine, restaurant_id }) => ({ machine, restaurant_id })); // no unknown fields
    await this.machines.replace(userId, kept);
    return kept;
  }
}
