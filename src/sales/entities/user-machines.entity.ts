import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which machine is which restaurant, as the user chose. */
@Entity('user_machines')
export class UserMachines {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ type: 'json' }) readonly machines!: readonly { readonly machine: string; readonly restaurant_id: number }[];
}
