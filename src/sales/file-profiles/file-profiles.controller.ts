import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../auth/tokens/current-user.decorator.js';
import { ApiResponses } from '../../http/openapi/openapi.decorator.js';
import type { Profile } from '../files/profile.js';
import {
  FileProfilePathDto,
  FileProfileResponse,
  FileProfilesResponse,
  PutFileProfileDto,
} from './file-profiles.dto.js';
import { FileProfilesService } from './file-profiles.service.js';

/** Serves the profiles by which the page and the command line read files. */
@ApiTags('File profiles')
@Controller({ path: 'sales/file-profiles', version: '1' })
export class FileProfilesController {
  constructor(private readonly profiles: FileProfilesService) {}

  @Get()
  @ApiOperation({ summary: 'List the file profiles, without the codes of restaurants' })
  @ApiResponses(FileProfilesResponse, 401, 403)
  async listFileProfiles(): Promise<FileProfilesResponse> {
    return { file_profiles: await this.profiles.listWithoutCodes() };
  }

  @Get(':name')
  @ApiOperation({
    summary: 'Read a file profile, with the codes of the restaurants that the caller may see',
  })
  @ApiResponses(FileProfileResponse, 401, 403)
  readFileProfile(
    @CurrentUser() { userId }: Principal,
    @Param() { name }: FileProfilePathDto,
  ): Promise<FileProfileResponse> {
    return this.profiles.getVisible(name, userId);
  }

  @Put(':name')
  @ApiOperation({ summary: 'Save a file profile, new or again' })
  @ApiResponses(FileProfileResponse, 401, 403)
  async putFileProfile(
    @CurrentUser() caller: Principal,
    @Param() { name }: FileProfilePathDto,
    @Body() { profile }: PutFileProfileDto,
  ): Promise<FileProfileResponse> {
    await this.profiles.put(name, profile as Omit<Profile, 'name'>, caller);
    return { name, profile };
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Delete a file profile' })
  @ApiResponses(undefined, 401, 403)
  async deleteFileProfile(
    @CurrentUser() caller: Principal,
    @Param() { name }: FileProfilePathDto,
  ): Promise<void> {
    await this.profiles.delete(name, caller);
  }
}
