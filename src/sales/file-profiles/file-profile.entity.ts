import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Profile } from '../files/profile.js';

/** How the files of one source are read. */
@Entity('file_profiles')
export class FileProfile {
  @PrimaryColumn({ type: 'text' }) readonly name!: string;
  @Column({ type: 'jsonb' }) readonly profile!: Omit<Profile, 'name'>;
}
