import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type EntityManager, type Repository } from 'typeorm';
import { isName } from '../http/validation/fields.decorator.js';
import { PasswordsService } from './passwords.service.js';
import { User } from './user.entity.js';
import { InvalidUsername, UnknownUser, UsernameTaken } from './users.errors.js';

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

  async get(username: string): Promise<User> {
    const user = await this.find(username);
    if (!user) throw new UnknownUser(username);
    return user;
  }

  isDisabled(id: number): Promise<boolean> {
    return this.users.existsBy({ id, disabledAt: Not(IsNull()) });
  }

  async add(username: string, password: string): Promise<void> {
    if (!isName(username)) throw new InvalidUsername();
    const passwordHash = await this.passwords.hash(password);
    const insertion = this.users.createQueryBuilder().insert().values({ username, passwordHash });
    const inserted = await insertion.orIgnore().returning('id').execute();
    if ((inserted.raw as unknown[]).length === 0) throw new UsernameTaken(username);
  }

  async setPassword(username: string, password: string): Promise<void> {
    const { id } = await this.get(username);
    const passwordHash = await this.passwords.hash(password);
    await this.users.update(id, { passwordHash, passwordVersion: () => 'password_version + 1' });
  }

  /** Hashes a right password again, unless another was set meanwhile. */
  async renewHash(id: number, passwordHash: string, password: string): Promise<void> {
    const renewed = await this.passwords.hash(password);
    await this.users.update({ id, passwordHash }, { passwordHash: renewed });
  }

  async setDisabled(username: string, disabled: boolean): Promise<void> {
    const { id } = await this.get(username);
    const disabledAt = disabled ? () => 'coalesce(disabled_at, now())' : null;
    await this.users.update(id, { disabledAt });
  }

  async setAllRestaurants({ id }: User, allRestaurants: boolean, transaction: EntityManager) {
    await transaction.update(User, id, { allRestaurants });
  }
}
