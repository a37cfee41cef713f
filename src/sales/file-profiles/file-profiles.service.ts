import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { UsersService } from '../../users/users.service.js';
import type { Profile } from '../files/profile.js';
import { nameFault } from '../files/profile-faults.js';
import { FileProfile } from './file-profile.entity.js';
import {
  FileProfilesNotGranted,
  InvalidFileProfile,
  UnknownFileProfile,
} from './file-profiles.errors.js';

/** More sources than a chain has; each is tried on every file. */
const MAX_PROFILES = 200;

/** Bytes of JSON of a profile, which has about 1,000: every user reads all of them at once. */
const MAX_PROFILE_BYTES = 16_384;

/** Keeps the profiles of the sources whose files are imported. */
@Injectable()
export class FileProfilesService {
  constructor(
    @InjectRepository(FileProfile) private readonly profiles: Repository<FileProfile>,
    private readonly users: UsersService,
    private readonly audit: AuditService,
  ) {}

  list(): Promise<FileProfile[]> {
    return this.profiles.find({ order: { name: 'ASC' } });
  }

  async get(name: string): Promise<FileProfile> {
    const profile = await this.profiles.findOneBy({ name });
    if (!profile) throw new UnknownFileProfile(name);
    return profile;
  }

  /** Saves a validated profile, new or again. */
  async put(name: string, profile: Omit<Profile, 'name'>, userId?: number): Promise<void> {
    const fault = nameFault(name);
    if (fault !== undefined) throw new InvalidFileProfile(`name ${fault}`);
    const bytes = Buffer.byteLength(JSON.stringify(profile));
    if (bytes > MAX_PROFILE_BYTES) {
      const limit = `at most ${MAX_PROFILE_BYTES} are taken: shorten \`codes\` or \`ignore\``;
      throw new InvalidFileProfile(`the profile has ${bytes} bytes of JSON, and ${limit}`);
    }
    const others = (await this.list()).filter((each) => each.name !== name);
    if (others.length >= MAX_PROFILES)
      throw new InvalidFileProfile(`there are ${MAX_PROFILES} profiles: delete one first`);
    await this.change('file profile put', name, userId, { profile }, async (manager) => {
      await manager.upsert(FileProfile, { name, profile: profile as object }, ['name']);
    });
  }

  async delete(name: string, userId?: number): Promise<void> {
    await this.change('file profile delete', name, userId, {}, async (manager) => {
      const { affected } = await manager.delete(FileProfile, { name });
      if (affected === 0) throw new UnknownFileProfile(name);
    });
  }

  /** Changes and records it, both or neither; the command line records its commands itself. */
  private async change(
    action: string,
    subject: string,
    userId: number | undefined,
    details: object,
    work: (manager: Repository<FileProfile>['manager']) => Promise<void>,
  ): Promise<void> {
    if (userId !== undefined && !(await this.users.getById(userId)).allRestaurants)
      throw new FileProfilesNotGranted();
    await this.profiles.manager.transaction(async (manager) => {
      await work(manager);
      if (userId === undefined) return;
      const event = { actor: `user:${userId}`, action, subject, details };
      await this.audit.record({ ...event, outcome: 'success' }, manager);
    });
  }
}
