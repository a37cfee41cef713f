import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An issued token by its `jti`; the token itself is not stored. */
@Entity('tokens')
export class Token {
  @PrimaryColumn({ type: 'uuid' }) readonly jti!: string;
  @Column({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ name: 'issued_at', type: 'timestamptz' }) readonly issuedAt!: Date;
  @Column({ name: 'expires_at', type: 'timestamptz' }) readonly expiresAt!: Date;
  /** Where it was issued; null for tokens of earlier releases. */
  @Column({ name: 'client_address', type: 'text', nullable: true })
  readonly clientAddress!: string | null;
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  readonly revokedAt!: Date | null;
}
