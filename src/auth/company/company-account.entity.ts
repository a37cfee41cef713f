import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The account of a person at the company's provider. */
@Entity('company_accounts')
@Unique(['issuer', 'account'])
@Unique(['issuer', 'subject'])
export class CompanyAccount {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ type: 'text' }) readonly issuer!: string;

  /** What the claim of COMPANY_LOGIN_CLAIM says, in lower case: administrators link it by this. */
  @Column({ type: 'text' }) readonly account!: string;

  /** The provider's own identifier, which alone counts after the first sign-in; null until then. */
  @Column({ type: 'text', nullable: true }) readonly subject!: string | null;
  @Column({ name: 'linked_at', type: 'timestamptz', default: () => 'now()' })
  readonly linkedAt!: Date;
}
