import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Principal } from '../../auth/tokens/current-user.decorator.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
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
    private readonly restaurants: RestaurantsService,
  ) {}

  list(): Promise<FileProfile[]> {
    return this.profiles.find({ order: { name: 'ASC' } });
  }

  /** Returns every profile without codes: they name restaurants that not every user may see. */
  async listWithoutCodes(): Promise<FileProfile[]> {
    return (await this.list()).map((each) => withCodes(each, () => false));
  }

  async get(name: string): Promise<FileProfile> {
    const profile = await this.profiles.findOneBy({ name });
    if (!profile) throw new UnknownFileProfile(name);
    return profile;
  }

  /** Returns a profile with the codes of the restaurants that a user may see. */
  async getVisible(name: string, userId: number): Promise<FileProfile> {
    const profile = await this.get(name);
    const ids = [...new Set(Object.values(profile.profile.restaurant.codes ?? {}))];
    const visible = new Set((await this.restaurants.listVisible(userId, ids)).map(({ id }) => id));
    return withCodes(profile, (id) => visible.has(id));
  }

  /** Saves a validated profile, new or again; returns what changed. The command line has no user. */
  async put(name: string, given: Omit<Profile, 'name'>, by?: Principal) {
    const fault = nameFault(name);
    if (fault !== undefined) throw new InvalidFileProfile(`name ${fault}`);
    const user = await this.findChanger(by);
    const { proof } = given;
    const profile = {
      ...given,
      unchecked: undefined,
      ...(proof && { proof: { ...proof, by: user ?? 'administrator' } }),
    };
    const bytes = Buffer.byteLength(JSON.stringify(profile));
    if (bytes > MAX_PROFILE_BYTES) {
      const limit = `at most ${MAX_PROFILE_BYTES} are taken: shorten \`codes\` or \`ignore\``;
      throw new InvalidFileProfile(`the profile has ${bytes} bytes of JSON, and ${limit}`);
    }
    return this.change('file profile put', name, by, async (manager, before) => {
      if (!before && (await manager.count(FileProfile)) >= MAX_PROFILES)
        throw new InvalidFileProfile(`there are ${MAX_PROFILES} profiles: delete one first`);
      await manager.upsert(FileProfile, { name, profile: profile as object }, ['name']);
      return profile;
    });
  }

  async delete(name: string, by?: Principal) {
    await this.findChanger(by);
    return this.change('file profile delete', name, by, async (manager, before) => {
      if (!before) throw new UnknownFileProfile(name);
      await manager.delete(FileProfile, { name });
      return null;
    });
  }

  /** Returns the name of a user who may change profiles. */
  private async findChanger(by: Principal | undefined): Promise<string | undefined> {
    if (!by) return undefined;
    const { allRestaurants, username } = await this.users.getById(by.userId);
    if (!allRestaurants) throw new FileProfilesNotGranted();
    return username;
  }

  /** Changes and records it, both or neither; the command line records its commands itself. */
  private async change(
    action: string,
    name: string,
    by: Principal | undefined,
    work: (manager: EntityManager, before: object | null) => Promise<object | null>,
  ) {
    return this.profiles.manager.transaction(async (manager) => {
      // Changes are rare, and one at a time, so that there are never more than the limit.
      await manager.query('LOCK TABLE file_profiles IN SHARE ROW EXCLUSIVE MODE');
      const before = (await manager.findOneBy(FileProfile, { name }))?.profile ?? null;
      const profile = await work(manager, before);
      const change = { subject: `profile:${name}`, details: { profile, before } };
      if (!by) return change;
      const { userId, clientAddress } = by;
      const event = { actor: `user:${userId}`, clientAddress, action, ...change };
      await this.audit.record({ ...event, outcome: 'success' }, manager);
      return change;
    });
  }
}

function withCodes(
  { name, profile }: FileProfile,
  isShown: (restaurantId: number) => boolean,
): FileProfile {
  const { codes, ...restaurant } = profile.restaurant;
  const shown = Object.entries(codes ?? {}).filter(([, id]) => isShown(id));
  const kept = shown.length > 0 ? { ...restaurant, codes: Object.fromEntries(shown) } : restaurant;
  return { name, profile: { ...profile, restaurant: kept } };
}
