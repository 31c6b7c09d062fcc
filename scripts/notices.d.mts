/** The folders of the packages that esbuild's inputs belong to, sorted. */
export function packageFolders(inputs: string[]): string[];

/** Name, version, licence id and full licence text of an installed package. */
export function packageLicense(folder: string): { name: string; version: string; license: string; text: string };

/** Writes one text with the licence of every package in the bundles. */
export function writeNotices(inputs: string[], target: string): Promise<void>;

/** The licences of data from elsewhere that stand beside the sources with the data. */
export function dataLicenses(inputs: string[]): string[];
