import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { UserMachines } from '../sales.entity.js';

export type Machines = UserMachines['machines'];

const READ = { name: 'read_user_machines', text: 'SELECT machines FROM user_machines WHERE user_id = $1' };

const REPLACE = {
  name: 'replace_user_machines',
  text: `
INSERT INTO user_machines (user_id, machines) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET machines = excluded.machines`,
};

@Injectable()
export class MachinesRepository {
  constructor(private readonly database: Database) {}

  async read(userId: number): Promise<Machines> {
    const [row] = await this.database.run<{ machines: Machines }>(READ, [userId]);
    return row?.machines ?? [];
  }

  async replace(userId: number, machines: Machines): Promise<void> {
    await this.database.run(REPLACE, [userId, JSON.stringify(machines)]);
  }
}
