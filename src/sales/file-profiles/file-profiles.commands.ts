import { Injectable } from '@nestjs/common';
import { Argument } from 'commander';
import { CommandRejected } from '../../admin/admin.errors.js';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { readGiven } from '../../admin/csv-table.js';
import { BUILT_IN_PROFILES, isBuiltIn, type Profile } from '../files/profile.js';
import { profileFaults } from '../files/profile-faults.js';
import { FileProfilesService } from './file-profiles.service.js';

const NAME = new Argument('<name>', 'the name of the profile');

@Injectable()
export class FileProfilesCommands {
  constructor(private readonly profiles: FileProfilesService) {}

  @AdminCommand('profile list', 'List the profiles by which files of sales are read', {
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const all = [...BUILT_IN_PROFILES, ...(await this.profiles.list())];
    const json = all.map(({ name }) => ({ name, built_in: isBuiltIn(name) }));
    const rows = json.map(({ name, built_in }) => [name, built_in ? 'of the service' : 'saved']);
    return { text: formatTable(['NAME', 'KIND'], rows), json };
  }

  @AdminCommand('profile show', 'Print a profile as JSON', { arguments: [NAME], readOnly: true })
  async show(name: string): Promise<CommandResult> {
    const builtIn = BUILT_IN_PROFILES.find((each) => each.name === name);
    const { profile } = builtIn ? { profile: builtIn } : await this.profiles.get(name);
    return { text: JSON.stringify(profile, null, 2), json: profile };
  }

  @AdminCommand('profile put', 'Save a profile from a JSON file, new or again', {
    arguments: [NAME, new Argument('<file>', 'the JSON file')],
    ownTransactions: true,
  })
  async put(name: string, file: string): Promise<CommandResult> {
    const profile = await readProfile(file);
    const changes = [await this.profiles.put(name, profile)];
    return { text: `profile "${name}" saved`, json: { name, profile }, changes };
  }

  @AdminCommand('profile delete', 'Delete a profile', { arguments: [NAME], ownTransactions: true })
  async delete(name: string): Promise<CommandResult> {
    const changes = [await this.profiles.delete(name)];
    return { text: `profile "${name}" deleted`, json: { name }, changes };
  }
}

async function readProfile(file: string): Promise<Omit<Profile, 'name'>> {
  const profile = parse(String(await readGiven(file)), file);
  const faults = profileFaults(profile).map(({ path, text: what }) => `${path} ${what}`.trim());
  if (faults.length > 0) throw new CommandRejected(`${file}: ${faults.slice(0, 10).join('; ')}`);
  return profile as Omit<Profile, 'name'>;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandRejected(`${file} is not JSON: ${(error as Error).message}`);
  }
}
