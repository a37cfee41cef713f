import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOneOptions, In, type Repository } from 'typeorm';
import { assertName, CommandRejected } from '../admin/admin.errors.js';
import { PasswordsService } from './passwords.service.js';
import { User, type UserKind } from './user.entity.js';

const NOW_AT_THE_LATEST = () => 'coalesce(disabled_at, now())';

type Changes = Partial<Pick<User, 'kind' | 'allRestaurants'>>;

/** Manages accounts. Triggers revoke tokens when a user is disabled or gets a new password. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
  ) {}

  list(): Promise<User[]> {
    return this.users.find({ order: { username: 'ASC' } });
  }

  find(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
  }

  findById(id: number): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** Returns the names of users by id. */
  async namesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const select = { id: true, username: true };
    const users = await this.users.find({ select, where: { id: In(ids) } });
    return new Map(users.map(({ id, username }) => [id, username]));
  }

  getById(id: number): Promise<User> {
    return this.users.findOneByOrFail({ id });
  }

  async get(
    username: string,
    manager = this.users.manager,
    lock?: FindOneOptions['lock'],
  ): Promise<User> {
    const user = await manager.findOne(User, { where: { username }, ...(lock && { lock }) });
    if (!user) throw new CommandRejected(`there is no user "${username}"`);
    return user;
  }

  /**
   * Gets a user whom nobody else changes until the transaction ends. Its tokens are changed after
   * that, in the same order as by a change of the password, or both could wait for each other.
   */
  getLocked(username: string, transaction: EntityManager): Promise<User> {
    return this.get(username, transaction, { mode: 'pessimistic_write' });
  }

  /** Adds a user. A person has to change the password; one without waits for another way in. */
  async add(
    username: string,
    password: string | undefined,
    {
      manager = this.users.manager,
      kind = 'till',
    }: { kind?: UserKind; manager?: EntityManager } = {},
  ): Promise<User> {
    assertName('username', username);
    const hasPassword = password !== undefined;
    const passwordHash = hasPassword ? await this.passwords.hash(password) : this.passwords.none;
    const passwordMustChange = kind === 'person' && hasPassword;
    const insertion = manager.createQueryBuilder().insert().into(User).orIgnore();
    const inserted = await insertion
      .values({ username, passwordHash, kind, passwordMustChange })
      .returning('id')
      .execute();
    if ((inserted.raw as unknown[]).length === 0)
      throw new CommandRejected(`there is a user "${username}" already`);
    return this.get(username, manager);
  }

  /** Renames a user; tokens, grants and what it sent stay. */
  async rename({ id }: User, name: string, transaction: EntityManager): Promise<void> {
    assertName('username', name);
    if (await transaction.existsBy(User, { username: name }))
      throw new CommandRejected(`there is a user "${name}" already`);
    await transaction.update(User, id, { username: name });
  }

  /** Disables a user and makes it unrecognizable; returns its new name. */
  async anonymize({ id }: User, transaction: EntityManager): Promise<string> {
    const username = `former-user-${id}`;
    // It is a hash that no password has, of the same cost.
    const passwordHash = () => "left(password_hash, 7) || repeat('.', 53)";
    await transaction.update(User, id, { username, passwordHash, disabledAt: NOW_AT_THE_LATEST });
    return username;
  }

  /** Sets a password for a user, which a person has to change. */
  async setPasswordHash(id: number, passwordHash: string, manager = this.users.manager) {
    await manager.update(User, id, {
      passwordHash,
      passwordVersion: () => 'password_version + 1',
      passwordChangedAt: () => 'now()',
      passwordMustChange: () => `kind = 'person'`,
    });
  }

  /** Sets a password's hash unless another was set since that version; returns the next version. */
  async replacePassword(
    { id, passwordVersion, passwordHash }: Pick<User, 'id' | 'passwordVersion' | 'passwordHash'>,
    transaction: EntityManager,
  ): Promise<Pick<User, 'id' | 'passwordVersion'> | undefined> {
    const next = { passwordVersion: passwordVersion + 1 };
    const passwordChangedAt = () => 'now()';
    const change = { ...next, passwordHash, passwordChangedAt, passwordMustChange: false };
    const { affected } = await transaction.update(User, { id, passwordVersion }, change);
    return affected === 1 ? { id, ...next } : undefined;
  }

  /** Hashes a right password again where there is room, unless another was set meanwhile. */
  async renewHash(id: number, passwordHash: string, password: string): Promise<void> {
    const renewed = await this.passwords.hashSoon(password);
    await this.users.update({ id, passwordHash }, { passwordHash: renewed });
  }

  async setDisabled({ id }: User, disabled: boolean, manager = this.users.manager) {
    const disabledAt = disabled ? NOW_AT_THE_LATEST : null;
    await manager.update(User, id, { disabledAt });
  }

  async update({ id }: User, change: Changes, manager = this.users.manager): Promise<void> {
    await manager.update(User, id, change);
  }
}
