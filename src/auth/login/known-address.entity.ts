import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address from which a user logged in. */
@Entity('known_addresses')
export class KnownAddress {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ type: 'text' }) readonly network!: string;
  @Column({ name: 'last_login_at', type: 'timestamptz' }) readonly lastLoginAt!: Date;
}
